"""Operations on values: coerce the operands, check, fold if constant, else record.

operate(BinaryOp.ADD, x, 1)     # 1 becomes x's type
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shaderdsl.errors import InternalError, KernelTypeError
from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import (
    BOOL,
    F16,
    F32,
    I32,
    U32,
    Scalar,
    Struct,
    Type,
    Vector,
    is_float,
    is_integer,
    scalar_of,
    with_scalar,
)
from shaderdsl.lang import fold
from shaderdsl.lang.here import here
from shaderdsl.lang.value import Value, expr_of, let, record, wrap, wrong_operand
from shaderdsl.numeric.builtins import call as numeric_call
from shaderdsl.numeric.convert import bitcast as numeric_bitcast
from shaderdsl.numeric.convert import convert as numeric_convert
from shaderdsl.numeric.operators import binary as numeric_binary
from shaderdsl.numeric.operators import unary as numeric_unary
from shaderdsl.source import Loc

SHIFTS = (BinaryOp.SHL, BinaryOp.SHR)
LOGICAL = {BinaryOp.AND: BinaryOp.LOGICAL_AND, BinaryOp.OR: BinaryOp.LOGICAL_OR}


def coerce(value: object, like: Type, loc: Loc | None) -> Expr:
    """A value's expression, or a Python number as the scalar type of `like`."""
    if isinstance(value, Value):
        return expr_of(value, loc)
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        scalar = scalar_of(like)
        if scalar is None:
            raise InternalError(f"a Python number meets {like}")
        return fold.number(value, scalar, loc)
    raise wrong_operand(value, loc)


def expect(value: object, type: Type, loc: Loc | None, what: str) -> Expr:
    """The expression of something that must have `type` exactly; Python numbers adapt to scalars."""
    if isinstance(type, Scalar) or isinstance(value, Value):
        expr = coerce(value, type, loc)
        if expr.type == type:
            return expr
        given = str(expr.type)
        hints = (
            [f"convert it with .{type}"]
            if isinstance(type, Scalar) and isinstance(expr.type, Scalar) and type != BOOL
            else [f"make it {build.spelled(type)}"]
        )
        raise KernelTypeError(f"{what} is {type}, not {given}", loc, hints=hints)
    if isinstance(value, bool | int | float):
        raise KernelTypeError(
            f"{what} is {type}, not a Python number", loc, hints=[f"construct it: {build.spelled(type)}({value})"]
        )
    raise wrong_operand(value, loc)


def operate(op: BinaryOp, left: object, right: object) -> Any:
    """`left op right`, where one side at least is a value."""
    loc = here()
    a, b = operands(op, left, right, loc)
    if op in LOGICAL and a.type == BOOL and b.type == BOOL:
        op = LOGICAL[op]
    fold.check_operands(op, a, b, loc)
    node = build.binary(op, a, b, loc)
    x, y = fold.constant(a), fold.constant(b)
    if x is not None and y is not None:
        return wrap(fold.from_constant(numeric_binary(op, x, y, a.type, b.type), node.type, loc))
    return record(node, loc)


def operands(op: BinaryOp, left: object, right: object, loc: Loc | None) -> tuple[Expr, Expr]:
    """Both sides as expressions; a Python number takes the other's scalar type, a shift's right side is u32."""
    if isinstance(left, Value):
        a = expr_of(left, loc)
        shift_like = build.unsigned_like(a.type) if op in SHIFTS else a.type
        return a, coerce(right, shift_like, loc)
    if isinstance(right, Value):
        b = expr_of(right, loc)
        if op in SHIFTS:
            raise KernelTypeError("the left side of a shift needs a type", loc, hints=["write u32(1) << n"])
        return coerce(left, b.type, loc), b
    raise wrong_operand(left, loc)


def divide(op: BinaryOp, left: object, right: object, symbol: str) -> Any:
    """Python's `/`, `//` and `%`, each only where it means the same in WGSL."""
    loc = here()
    a, _ = operands(op, left, right, loc)
    kind = scalar_of(a.type)
    if symbol == "/" and is_integer(a.type):
        hint = "write // on u32" if kind != I32 else "write sd.div_floor or sd.div_trunc, or convert with .f32"
        raise KernelTypeError(f"/ is for floats, not {a.type}", loc, hints=[hint])
    if symbol == "//" and is_float(a.type):
        raise KernelTypeError(f"// is for u32, not {a.type}", loc, hints=["write sd.floor(x / y)"])
    if symbol in ("//", "%") and kind == I32:
        name = "div" if symbol == "//" else "mod"
        raise KernelTypeError(
            f"{symbol} on i32 is ambiguous",
            loc,
            notes=["Python rounds down, WGSL rounds towards zero: they differ for negative values"],
            hints=[f"write sd.{name}_floor(x, y) or sd.{name}_trunc(x, y)"],
        )
    if symbol == "%" and is_float(a.type):
        raise KernelTypeError(
            f"% on {a.type} is ambiguous",
            loc,
            notes=["Python's result takes the divisor's sign, WGSL's the dividend's"],
            hints=["write sd.mod_floor(x, y) or sd.mod_trunc(x, y)"],
        )
    return operate(op, left, right)


def apply(op: UnaryOp, operand: Value) -> Any:
    """`op operand`."""
    loc = here()
    x = expr_of(operand, loc)
    node = build.unary(op, x, loc)
    value = fold.constant(x)
    if value is not None:
        return wrap(fold.from_constant(numeric_unary(op, value, x.type), node.type, loc))
    return record(node, loc)


def call(builtin: Builtin, *arguments: object) -> Any:
    """A builtin of WGSL; Python numbers take the scalar type of the first traced argument."""
    loc = here()
    exprs = call_operands(builtin, arguments, loc)
    fold.check_arguments(builtin, exprs, loc)
    node = build.call(builtin, exprs, loc)
    values = [fold.constant(e) for e in exprs]
    if fold.known(*values) and not isinstance(node.type, Struct):
        folded = numeric_call(builtin, values, [e.type for e in exprs], node.type)
        return wrap(fold.from_constant(folded, node.type, loc))
    return record(node, loc)


BIT_POSITIONS = {Builtin.EXTRACT_BITS: (1, 2), Builtin.INSERT_BITS: (2, 3)}
"""Arguments that are u32 whatever the others are."""


def call_operands(builtin: Builtin, arguments: Sequence[object], loc: Loc | None) -> list[Expr]:
    like = next((a._expr.type for a in arguments if isinstance(a, Value) and scalar_of(a._expr.type) is not None), None)
    if like is None:
        raise KernelTypeError(
            f"{builtin.value} needs a value of a kernel", loc, hints=["give a number its type: f32(0.5)"]
        )
    exprs: list[Expr] = []
    for position, argument in enumerate(arguments):
        wanted = like
        if position in BIT_POSITIONS.get(builtin, ()):
            wanted = U32
        elif builtin is Builtin.LDEXP and position == 1:
            wanted = I32
        elif builtin is Builtin.SELECT and position == 2:
            wanted = BOOL
        exprs.append(splat(coerce(argument, wanted, loc), argument, like, builtin, loc))
    return exprs


UNSPLAT = frozenset(
    {Builtin.SELECT, Builtin.EXTRACT_BITS, Builtin.INSERT_BITS, Builtin.LDEXP, Builtin.REFRACT, Builtin.MIX}
)


def splat(expr: Expr, given: object, like: Type, builtin: Builtin, loc: Loc | None) -> Expr:
    """A Python number beside vectors becomes a vector of it, as in max(v, 0)."""
    if isinstance(given, Value) or isinstance(like, Scalar) or builtin in UNSPLAT:
        return expr
    return build.construct(like, [expr], loc)


def cast(value: object, target: Type) -> Any:
    """`target(value)`: a conversion by value."""
    loc = here()
    if not isinstance(value, Value):
        if isinstance(target, Scalar):
            return wrap(coerce(value, target, loc))
        raise wrong_operand(value, loc)
    x = expr_of(value, loc)
    node = build.convert(x, target, loc)
    constant = fold.constant(x)
    if constant is not None:
        return wrap(fold.from_constant(numeric_convert(constant, x.type, target), target, loc))
    return value if node is x else record(node, loc)


def reinterpret(value: Value, target: Type) -> Any:
    """`bitcast<target>(value)`; a constant whose bits are inf or NaN takes the run-time form."""
    loc = here()
    x = expr_of(value, loc)
    node = build.bitcast(x, target, loc)
    constant = fold.constant(x)
    if constant is not None:
        folded = numeric_bitcast(constant, x.type, target)
        if isinstance(target, Scalar) and is_float(target) and not np.isfinite(folded):
            return wrap(fold.float_bits(int(numeric_bitcast(constant, x.type, U32)), target, loc))
        return wrap(fold.from_constant(folded, target, loc))
    if (scalar_of(x.type) == F16) != (scalar_of(target) == F16):
        return record(through_words(x, target, loc), loc)
    return value if node is x else record(node, loc)


def through_words(x: Expr, target: Type, loc: Loc | None) -> Expr:
    """A bitcast between halves and 32-bit words by pack and unpack, since naga has no other; exact but for NaN's payload."""
    if scalar_of(target) == F16:
        words = let(build.bitcast(x, words_like(x.type), loc), loc)
        return build.convert(floats_of(words, loc), target, loc)
    singles = let(build.convert(x, with_scalar(x.type, F32), loc), loc)
    pairs = (
        [singles]
        if getattr(x.type, "size", 2) == 2
        else [let(build.swizzle(singles, c, loc), loc) for c in ((0, 1), (2, 3))]
    )
    words = [let(build.call(Builtin.PACK2X16_FLOAT, [p], loc), loc) for p in pairs]
    joined = words[0] if len(words) == 1 else let(build.construct(Vector(2, U32), words, loc), loc)
    return build.bitcast(joined, target, loc)


def words_like(type: Type) -> Type:
    return with_scalar(type, U32)


def floats_of(words: Expr, loc: Loc | None) -> Expr:
    """The halves in one or two words, as f32."""
    if isinstance(words.type, Scalar):
        return let(build.call(Builtin.UNPACK2X16_FLOAT, [words], loc), loc)
    parts = [let(build.swizzle(words, (c,), loc), loc) for c in (0, 1)]
    halves = [let(build.call(Builtin.UNPACK2X16_FLOAT, [p], loc), loc) for p in parts]
    return let(build.construct(Vector(4, F32), halves, loc), loc)


def construct(target: Type, arguments: Sequence[object]) -> Any:
    """A vector, matrix, array or structure from its parts; Python numbers take the component type."""
    loc = here()
    exprs = [coerce(a, target, loc) for a in arguments]
    node = build.construct(target, exprs, loc)
    constant = fold.constant(node)
    if constant is not None:
        return wrap(fold.from_constant(constant, target, loc))
    return record(node, loc)


def component(value: Value, name: str) -> Any:
    """A swizzle of a vector value."""
    loc = here()
    x = expr_of(value, loc)
    found = build.components_of(name, getattr(x.type, "size", 0))
    if found is None:
        known = ", ".join(build.COMPONENTS[0][: getattr(x.type, "size", 0)])
        raise KernelTypeError(f"{x.type} has no component {name}", loc, notes=[f"its components are {known}"])
    node = build.swizzle(x, found, loc)
    constant = fold.constant(x)
    if constant is not None:
        return wrap(fold.from_constant(np.asarray(constant)[list(found)].reshape(-1), node.type, loc))
    return record(node, loc)


def index_value(value: Value, index: object) -> Any:
    """`value[index]` of a vector, matrix or array value."""
    loc = here()
    x = expr_of(value, loc)
    return record(build.element(x, coerce(index, U32, loc), loc), loc)
