"""Values and tests that comparisons cannot give: inf, NaN, bits, the finite limits.

sd.inf(f32)      sd.is_nan(x)      sd.bitcast(x, u32)      sd.lowest(f32)
"""

from __future__ import annotations

import struct
from typing import Any, TypeVar, overload

from shaderdsl.errors import ConstantError, KernelTypeError
from shaderdsl.ir.expr import Const, Expr
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F16, F32, FLOATS, U32, Matrix, Scalar, Vector, is_float, with_scalar
from shaderdsl.lang import fold
from shaderdsl.lang.functions.kinds import B, R
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import operate, reinterpret
from shaderdsl.lang.scalars import bool_, f16, f32
from shaderdsl.lang.value import Value, expr_of, wrap, wrong_operand
from shaderdsl.lang.vectors import NumberVector
from shaderdsl.source import Loc

A = TypeVar("A", bound=Value)

MAGNITUDE = 0x7FFFFFFF
INFINITY = 0x7F800000
"""f32's infinity by its bits: a larger magnitude is NaN."""

BITS_OF_INF = {F32: INFINITY, F16: 0x7C00}
BITS_OF_NAN = {F32: 0x7FC00000, F16: 0x7E00}
LARGEST = {F32: (2.0 - 2.0**-23) * 2.0**127, F16: 65504.0}
WIDTH = {F32: 32, F16: 16}


def inf(kind: type[R]) -> R:
    """Infinity, exact at run time on every device, where WGSL has no literal for it."""
    loc = here()
    return wrap(fold.float_bits(BITS_OF_INF[float_of(kind, loc)], float_of(kind, loc), loc))


def nan(kind: type[R]) -> R:
    """A quiet NaN, exact at run time on every device, where WGSL has no literal for it."""
    loc = here()
    return wrap(fold.float_bits(BITS_OF_NAN[float_of(kind, loc)], float_of(kind, loc), loc))


def float_bits(bits: int, kind: type[R]) -> R:
    """The float with these bits, exact on every device whether finite or not: `sd.float_bits(0x80000000, f32)` is -0.0."""
    loc = here()
    scalar = float_of(kind, loc)
    if not 0 <= bits < 2 ** WIDTH[scalar]:
        raise ConstantError(f"{bits:#x} is not the bits of {scalar}", loc, notes=[f"it has {WIDTH[scalar]}"])
    exponent = BITS_OF_INF[scalar]
    if bits & exponent == exponent or bits == fold.SIGN_BIT[scalar]:
        return wrap(fold.float_bits(bits, scalar, loc))
    word, float_format = ("<I", "<f") if scalar == F32 else ("<H", "<e")
    (value,) = struct.unpack(float_format, struct.pack(word, bits))
    return wrap(Const(value, scalar, loc))


def largest(kind: type[R]) -> R:
    """The largest finite value."""
    loc = here()
    scalar = float_of(kind, loc)
    return wrap(Const(LARGEST[scalar], scalar, loc))


def lowest(kind: type[R]) -> R:
    """The lowest finite value: where a running maximum starts, since -inf minus itself is NaN."""
    loc = here()
    scalar = float_of(kind, loc)
    return wrap(Const(-LARGEST[scalar], scalar, loc))


def float_of(kind: Any, loc: Loc | None) -> Scalar:
    """f32's or f16's type, by its class."""
    scalar = getattr(kind, "type", None)
    if scalar not in FLOATS:
        raise KernelTypeError(f"{getattr(kind, '__name__', kind)} is not f32 or f16", loc, hints=["write sd.inf(f32)"])
    return scalar


@overload
def is_nan(x: f32 | f16) -> bool_: ...
@overload
def is_nan(x: NumberVector[Any, B]) -> B: ...
def is_nan(x: Value) -> object:
    """Whether x is NaN, by its bits: `x != x` is false for NaN on some devices."""
    return compare_magnitude(x, BinaryOp.GT, INFINITY)


@overload
def is_inf(x: f32 | f16) -> bool_: ...
@overload
def is_inf(x: NumberVector[Any, B]) -> B: ...
def is_inf(x: Value) -> object:
    """Whether x is infinite, of either sign, by its bits."""
    return compare_magnitude(x, BinaryOp.EQ, INFINITY)


@overload
def is_finite(x: f32 | f16) -> bool_: ...
@overload
def is_finite(x: NumberVector[Any, B]) -> B: ...
def is_finite(x: Value) -> object:
    """Whether x is neither infinite nor NaN, by its bits."""
    return compare_magnitude(x, BinaryOp.LT, INFINITY)


def compare_magnitude(x: object, op: BinaryOp, limit: int) -> Any:
    """The bits of |x|, as f32, compared with a limit."""
    loc = here()
    if not isinstance(x, Value):
        raise wrong_operand(x, loc)
    expr = expr_of(x, loc)
    if not is_float(expr.type) or isinstance(expr.type, Matrix):
        raise KernelTypeError(
            f"only f32 and f16 can be NaN or infinite, not {expr.type}", loc, hints=["leave it out: it is false"]
        )
    at = Steps(loc)
    magnitude = magnitude_bits(at, expr)
    return operate(op, wrap(magnitude), wrap(at.number(limit, magnitude.type)))


def magnitude_bits(at: Steps, x: Expr) -> Expr:
    """The bits of |x| as u32; f16 goes through f32, which keeps what is NaN and what is infinite."""
    single = at.convert(x, with_scalar(x.type, F32))
    words = at.bitcast(single, with_scalar(x.type, U32))
    return at.binary(BinaryOp.AND, words, at.number(MAGNITUDE, words.type))


def bitcast(value: Value, kind: type[A]) -> A:
    """The same bits as another type of the same size: `sd.bitcast(x, u32)`; constant bits of inf and NaN stay exact."""
    loc = here()
    if not isinstance(value, Value):
        raise wrong_operand(value, loc)
    target = getattr(kind, "type", None)
    if not isinstance(target, Scalar | Vector):
        raise KernelTypeError(
            f"{getattr(kind, '__name__', kind)} is not a type to bitcast to", loc, hints=["write sd.bitcast(x, u32)"]
        )
    return reinterpret(value, target)
