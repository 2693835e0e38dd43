"""Constants: Python numbers take the type that they meet, and operations on constants are done while tracing.

Folding uses numpy's meaning of each operation, the interpreter's own, so no constant expression ever reaches a WGSL compiler, whose rules
on overflow differ. A result that is not finite is the user's error, at her line.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shaderdsl.errors import ConstantError, InternalError, KernelTypeError
from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Construct, Expr
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import (
    BOOL,
    F16,
    F32,
    FLOATS,
    INTEGERS,
    U32,
    Matrix,
    Scalar,
    Type,
    Vector,
    scalar_of,
)
from shaderdsl.lang.trace import current
from shaderdsl.numeric.values import DTYPES, INTEGER_LIMITS
from shaderdsl.source import Loc

LARGEST = {F32: "3.4028235e38", F16: "65504"}
SIGN_BIT = {F32: 0x80000000, F16: 0x8000}


def number(value: bool | int | float, type: Scalar, loc: Loc | None) -> Expr:
    """A Python number as a constant of `type`: an int if the type holds it exactly, a float rounded to nearest."""
    if isinstance(value, bool):
        if type != BOOL:
            raise KernelTypeError(
                f"a Python bool does not become {type}", loc, hints=["write 1 or 0, or use sd.select"]
            )
        return Const(value, BOOL, loc)
    if type == BOOL:
        raise KernelTypeError(
            f"a Python {name_of(value)} does not become bool", loc, hints=["write True or False, or compare"]
        )
    if isinstance(value, int):
        return integer(value, type, loc)
    if type not in FLOATS:
        raise KernelTypeError(
            f"a Python float does not become {type}",
            loc,
            hints=[f"write {int(value) if math.isfinite(value) else 0}, or convert the other side to f32"],
        )
    return floating(value, type, loc)


def name_of(value: object) -> str:
    return value.__class__.__name__


def integer(value: int, type: Scalar, loc: Loc | None) -> Expr:
    if type in INTEGERS:
        low, high = INTEGER_LIMITS[type]
        if not low <= value <= high:
            hint = ["convert the other side to i32, or subtract the positive number"] if value < 0 else []
            shown = value if abs(value) < 10**40 else f"an int of {value.bit_length()} bits"
            raise ConstantError(
                f"{shown} does not fit {type}", loc, notes=[f"{type} holds {low} to {high}"], hints=hint
            )
        return Const(value, type, loc)
    try:
        rounded = float(rounding(float(value), type))
    except OverflowError:
        rounded = math.inf
    if not math.isfinite(rounded) or int(rounded) != value:
        raise not_exact(value, rounded, type, loc)
    return Const(rounded, type, loc)


def not_exact(value: int, rounded: float, type: Scalar, loc: Loc | None) -> ConstantError:
    """An int that a float type rounds or cannot hold; a huge one is not written out."""
    shown = str(value) if abs(value) < 10**40 else f"an int of {value.bit_length()} bits"
    if not math.isfinite(rounded):
        return ConstantError(f"{shown} is too large for {type}", loc, hints=["scale it down, or write sd.inf"])
    return ConstantError(f"{type} does not hold {shown} exactly", loc, hints=[f"write {value}.0 to round it"])


def floating(value: float, type: Scalar, loc: Loc | None) -> Expr:
    """A float rounded to nearest even; inf and NaN have forms of their own, and -0.0 is made of bits."""
    rounded = float(rounding(value, type))
    if math.isnan(rounded) or math.isinf(value):
        form = "nan" if math.isnan(rounded) else "inf"
        raise ConstantError(
            f"{value} is not a literal", loc, hints=[f"write sd.{form}({type}) for the exact run-time form"]
        )
    if math.isinf(rounded):
        raise ConstantError(
            f"{value!r} is too large for {type}", loc, hints=[f"the largest {type} is {LARGEST[type]}; or write sd.inf"]
        )
    if rounded == 0 and math.copysign(1, rounded) < 0:
        return float_bits(SIGN_BIT[type], type, loc)
    return Const(rounded, type, loc)


def rounding(value: float, type: Scalar) -> Any:
    """A float rounded to f32 or f16, to nearest even."""
    with np.errstate(all="ignore"):
        return np.float32(value) if type == F32 else np.float16(value)


def float_bits(bits: int, type: Scalar, loc: Loc | None) -> Expr:
    """A float by its bits, or-ed with a run-time zero that no compiler can fold: exact for inf, NaN and -0.0 on every device."""
    trace = current(loc)
    word = trace.let(build.binary(BinaryOp.OR, Const(bits, U32, loc), trace.use_zero(loc), loc), loc, named=False)
    if type == F32:
        return trace.let(build.bitcast(word, F32, loc), loc, named=True)
    # naga has no bitcast between u32 and halves; unpacking is exact for all of them
    pair = trace.let(build.call(Builtin.UNPACK2X16_FLOAT, [word], loc), loc)
    half = trace.let(build.swizzle(pair, (0,), loc), loc)
    return trace.let(build.convert(half, F16, loc), loc, named=True)


def constant(expr: Expr) -> Any:
    """The value of a constant expression as numpy, or None."""
    match expr:
        case Const(value, Scalar() as scalar, _):
            return DTYPES[scalar].type(value)
        case Construct(arguments, Vector() | Matrix() as type, _):
            parts = [constant(a) for a in arguments]
            if any(p is None for p in parts):
                return None
            return shaped(parts, type)
        case _:
            return None


def shaped(parts: list[Any], type: Vector | Matrix) -> Any:
    """Constant components as one array of the type's shape."""
    flat = np.concatenate([np.atleast_1d(p).reshape(-1) for p in parts])
    if isinstance(type, Vector):
        return np.broadcast_to(flat, (type.size,)) if flat.size == 1 else flat
    return flat.reshape(type.columns, type.rows)


def from_constant(value: Any, type: Type, loc: Loc | None) -> Expr:
    """A folded result as an expression; not finite is an error."""
    scalar = scalar_of(type)
    array = np.asarray(value)
    if scalar is None:
        raise InternalError(f"a constant of {type} is folded")
    if scalar in FLOATS and not np.isfinite(array).all():
        raise ConstantError(
            f"this constant expression is not finite in {scalar}",
            loc,
            notes=["both WGSL compilers refuse it"],
            hints=["write sd.inf or sd.nan"],
        )
    parts = [number(item, scalar, loc) for item in array.reshape(-1).tolist()]
    if isinstance(type, Scalar):
        return parts[0]
    if isinstance(type, Matrix):
        rows = type.rows
        columns = [parts[c * rows : (c + 1) * rows] for c in range(type.columns)]
        return Construct(tuple(Construct(splatted(c), type.column, loc) for c in columns), type, loc)
    return Construct(splatted(parts), type, loc)


def splatted(parts: list[Expr]) -> tuple[Expr, ...]:
    """A vector's components, or one that stands for all: `vec3f(2.0f)`."""
    values = {p.value for p in parts if isinstance(p, Const)}
    alike = len(values) == 1 and all(isinstance(p, Const) for p in parts)
    return tuple(parts[:1]) if alike else tuple(parts)


def check_operands(op: BinaryOp, left: Expr, right: Expr, loc: Loc | None) -> None:
    """Refuse what both compilers refuse of a constant right operand: a zero divisor, a shift by the width or more."""
    value = constant(right)
    if value is None:
        return
    if op in (BinaryOp.DIV, BinaryOp.REM) and bool(np.any(np.asarray(value) == 0)):
        raise ConstantError("the divisor is a constant zero", loc, hints=["guard the division with k.if_"])
    if op in (BinaryOp.SHL, BinaryOp.SHR) and bool(np.any(np.asarray(value) >= 32)):
        raise ConstantError(
            "the shift is not below 32", loc, label=f"{left.type} has 32 bits", hints=["shift by 0 to 31"]
        )


def check_arguments(builtin: Builtin, arguments: list[Expr], loc: Loc | None) -> None:
    """Refuse constant arguments that both or one of the compilers refuse."""
    values = [constant(a) for a in arguments]
    match builtin:
        case Builtin.CLAMP if known(values[1], values[2]) and np.any(values[1] > values[2]):
            raise ConstantError("clamp's low bound is above its high bound", loc, hints=["write clamp(x, low, high)"])
        case Builtin.SMOOTHSTEP if known(values[0], values[1]) and np.any(values[0] == values[1]):
            raise ConstantError("smoothstep's edges are equal", loc, hints=["write sd.step(edge, x)"])
        case Builtin.LDEXP if known(values[1]):
            limit = 128 if scalar_of(arguments[0].type) == F32 else 16
            if np.any(np.asarray(values[1]) > limit):
                raise ConstantError(f"ldexp's exponent is above {limit}", loc, hints=["multiply by a float instead"])
        case Builtin.EXTRACT_BITS | Builtin.INSERT_BITS if known(values[-2], values[-1]):
            if int(values[-2]) + int(values[-1]) > 32:
                raise ConstantError("offset and count reach beyond bit 32", loc, hints=["offset + count is at most 32"])
        case _:
            pass


def known(*values: Any) -> bool:
    return all(v is not None for v in values)
