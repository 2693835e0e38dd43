"""Expressions of formulas as expressions of the IR, with the kinds and conversions that the reference has.

value_of(writer, parse("x[i] * 2"))        # Typed(an f32 expression, Dtype.F32)

What is constant is computed here, in float64, and rounded once. Whole numbers without a type are i32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias, TypeVar, assert_never

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, ReadParam
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import BOOL, F32, I32, U32
from shaderdsl.lang import fold
from shaderdsl.lang.functions.emitted import apply
from shaderdsl.lang.functions.special import BITS_OF_INF, BITS_OF_NAN
from shaderdsl.schedule.forms import FLOOR_DIV, FLOOR_MOD
from shaderdsl.schedule.functions import emit_function
from shaderdsl.schedule.sizes import Quantity
from shaderdsl.schedule.step import STORED, TYPES
from shaderdsl.schedule.writer import AT, Writer
from shaderdsl.spec.axes import walk
from shaderdsl.spec.dtypes import Kind, common, function_kind, operation_kind
from shaderdsl.spec.functions import FUNCTIONS, Domain
from shaderdsl.spec.grid import Frame, converted
from shaderdsl.spec.grid import value_of as computed
from shaderdsl.spec.notation import (
    Dtype,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    Parameter,
    Read,
    Scalar,
    Size,
)
from shaderdsl.spec.print import format_scalar
from shaderdsl.spec.shapes import StageSizes

SIGN = 0x80000000
MOST_FACTORS = 64
"""Whole exponents up to this are products; beyond, pow is as good."""


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression of the IR, or a number that takes the type it meets."""

    value: Expr | bool | int | float
    kind: Kind


Number_: TypeAlias = bool | int | float

BINARY = {
    Operator.ADD: BinaryOp.ADD,
    Operator.SUB: BinaryOp.SUB,
    Operator.MUL: BinaryOp.MUL,
    Operator.DIV: BinaryOp.DIV,
    Operator.EQ: BinaryOp.EQ,
    Operator.NE: BinaryOp.NE,
    Operator.LT: BinaryOp.LT,
    Operator.LE: BinaryOp.LE,
    Operator.GT: BinaryOp.GT,
    Operator.GE: BinaryOp.GE,
    Operator.AND: BinaryOp.LOGICAL_AND,
    Operator.OR: BinaryOp.LOGICAL_OR,
}


def value_of(writer: Writer, scalar: Scalar) -> Typed:
    """The expression of a formula's expression, at the writer's indices."""
    match scalar:
        case Number(value):
            return Typed(value, None if isinstance(value, int) else Dtype.F32)
        case Index(name):
            return Typed(writer.index(name), None)
        case Size(name):
            return Typed(AT.convert(writer.size(writer.space.size_named(name)), I32), None)
        case Parameter(name):
            return parameter(writer, name)
        case Read():
            return once(writer, scalar, read)
        case Operation() | Function() if is_constant(scalar):
            return constant(writer, scalar)
        case Operation():
            return once(writer, scalar, operation)
        case Function():
            return once(writer, scalar, function)
        case _:
            assert_never(scalar)


T = TypeVar("T", Read, Operation, Function)


def once(writer: Writer, scalar: T, compute: Callable[[Writer, T], Typed]) -> Typed:
    """What the same text gave before in this block, else what is computed now: the text tells 1 from 1.0, equality does not."""
    text = format_scalar(scalar)
    if text not in writer.known:
        found = compute(writer, scalar)
        if isinstance(found.value, bool | int | float):
            return found
        writer.known[text] = found.value, found.kind
    return Typed(*writer.known[text])


def is_constant(scalar: Scalar) -> bool:
    return not any(isinstance(p, Index | Size | Parameter | Read) for p in walk(scalar))


def constant(writer: Writer, scalar: Scalar) -> Typed:
    """A constant's value as the reference computes it."""
    space = writer.space
    frame = Frame(space.spec, space.number, StageSizes((), {}), {}, {}, (), (), {})
    with np.errstate(all="ignore"):
        found, kind = computed(scalar, frame)
    return Typed(found.item(), kind)


def parameter(writer: Writer, name: str) -> Typed:
    dtype = writer.space.dtypes[name]
    writer.trace.params.setdefault(name, STORED[dtype])
    expr: Expr = ReadParam(name, STORED[dtype], None)
    return Typed(as_condition(expr) if dtype is Dtype.BOOL else expr, dtype)


def as_condition(word: Expr) -> Expr:
    return AT.binary(BinaryOp.NE, word, AT.number(0, word.type))


def expr_as(typed: Typed, to: Kind) -> Expr:
    """A value in another kind; whole numbers without a type become i32."""
    value = typed.value
    if isinstance(value, bool | int | float):
        found: Any = converted(np.asarray(value), typed.kind, to)
        return literal(found.item(), to)
    target = I32 if to is None else TYPES[to]
    return as_condition(value) if target == BOOL and value.type != BOOL else AT.convert(value, target)


def literal(value: Number_, kind: Kind) -> Expr:
    """A number as a constant; inf and NaN by their bits, and zero without a sign."""
    if kind is Dtype.BOOL:
        return Const(bool(value), BOOL, None)
    if kind is not Dtype.F32:
        whole = int(value)
        return Const(whole, U32, None) if kind is Dtype.U32 else Const((whole + 2**31) % 2**32 - 2**31, I32, None)
    with np.errstate(all="ignore"):
        rounded = float(np.float32(value))
    if math.isnan(rounded):
        return fold.float_bits(BITS_OF_NAN[F32], F32, None)
    if math.isinf(rounded):
        return fold.float_bits(BITS_OF_INF[F32] | (SIGN if rounded < 0 else 0), F32, None)
    return Const(rounded + 0.0, F32, None)


def operation(writer: Writer, scalar: Operation) -> Typed:
    """An operation: operands meet in one kind first."""
    operator, arguments = scalar.operator, scalar.arguments
    found = [value_of(writer, a) for a in arguments]
    kinds = [f.kind for f in found]
    kind = operation_kind(operator, arguments, kinds, None)
    if operator is Operator.NOT:
        return Typed(AT.unary(UnaryOp.NOT, expr_as(found[0], Dtype.BOOL)), kind)
    if operator in (Operator.AND, Operator.OR):
        return Typed(AT.binary(BINARY[operator], *(expr_as(f, Dtype.BOOL) for f in found)), kind)
    meeting = common(kinds) if kind is Dtype.BOOL else kind
    if operator is Operator.POW:
        return Typed(power(expr_as(found[0], meeting), found[1], meeting), kind)
    operands = [operand(writer, a, f, meeting) for a, f in zip(arguments, found)]
    match operator:
        case Operator.NEG:
            return Typed(negated(operands[0]), kind)
        case Operator.FLOOR_DIV:
            return Typed(apply(FLOOR_DIV, operands, None), kind)
        case Operator.MOD:
            return Typed(apply(FLOOR_MOD, operands, None), kind)
        case Operator.DIV if isinstance(operands[1], Const) and operands[1].value == 0:
            operands[1] = fold.float_bits(
                0, F32, None
            )  # what no compiler folds: a constant division by zero is refused
        case _:
            pass
    return Typed(AT.binary(BINARY[operator], *operands), kind)


def operand(writer: Writer, scalar: Scalar, found: Typed, kind: Kind) -> Expr:
    """An operand in the kind where operands meet; a size becomes f32 without being i32 first."""
    if isinstance(scalar, Size) and kind is Dtype.F32:
        return AT.convert(writer.size(writer.space.size_named(scalar.name)), F32)
    return expr_as(found, kind)


def negated(x: Expr) -> Expr:
    return AT.binary(BinaryOp.SUB, AT.number(0, U32), x) if x.type == U32 else AT.unary(UnaryOp.NEGATE, x)


def power(x: Expr, exponent: Typed, kind: Kind) -> Expr:
    """Whole constant exponents as products, halves as roots, all else by pow."""
    by = exponent.value
    if isinstance(by, int | float) and float(by).is_integer() and abs(by) <= MOST_FACTORS:
        product = repeated(x, abs(int(by)), kind)
        return product if by >= 0 else AT.binary(BinaryOp.DIV, AT.number(1, x.type), product)
    if isinstance(by, float) and abs(by) == 0.5:
        return AT.call(Builtin.SQRT if by > 0 else Builtin.INVERSE_SQRT, x)
    if kind is Dtype.F32:
        return emit_function(AT, FUNCTIONS["pow"], [x, expr_as(exponent, Dtype.F32)])
    return repeated(x, int(by) if isinstance(by, int) else 0, kind)


def repeated(x: Expr, times: int, kind: Kind) -> Expr:
    """x ** times by squaring."""
    result: Expr | None = None
    while times:
        if times & 1:
            result = x if result is None else AT.binary(BinaryOp.MUL, result, x)
        times >>= 1
        x = AT.binary(BinaryOp.MUL, x, x) if times else x
    return literal(1, kind) if result is None else result


def function(writer: Writer, scalar: Function) -> Typed:
    """A call of a function of the table."""
    row = FUNCTIONS[scalar.name]
    found = [value_of(writer, a) for a in scalar.arguments]
    kinds = [f.kind for f in found]
    kind = function_kind(row, kinds, None)
    match row.domain:
        case Domain.FLOAT if row.name == "ldexp":
            return Typed(scaled(found[0], found[1]), kind)
        case Domain.FLOAT:
            arguments = [expr_as(f, Dtype.F32) for f in found]
        case Domain.NUMERIC | Domain.IDENTITY:
            arguments = [expr_as(f, kind) for f in found]
        case Domain.SELECT:
            arguments = [expr_as(found[0], Dtype.BOOL), *(expr_as(f, kind) for f in found[1:])]
        case Domain.TO_F32 | Domain.TO_I32 | Domain.TO_U32:
            return Typed(expr_as(found[0], kind), kind)
        case Domain.INTEGER | Domain.PACKED_I32 | Domain.PACKED_U32:
            first = len(found) - row.counts
            width = kind if row.domain is Domain.INTEGER else Dtype.U32
            arguments = [expr_as(f, width if n < first else Dtype.U32) for n, f in enumerate(found)]
        case _:
            assert_never(row.domain)
    return Typed(emit_function(AT, row, arguments), kind)


def scaled(x: Typed, exponent: Typed) -> Expr:
    """x * 2 ** exponent, exactly for a whole exponent."""
    if exponent.kind is Dtype.F32:
        factor = AT.call(Builtin.EXP2, expr_as(exponent, Dtype.F32))
        return AT.binary(BinaryOp.MUL, expr_as(x, Dtype.F32), factor)
    return AT.call(Builtin.LDEXP, expr_as(x, Dtype.F32), expr_as(exponent, None))


def read(writer: Writer, scalar: Read) -> Typed:
    """An element of a tensor: what the kernel holds of it here, what a scan carries, or from memory."""
    if scalar.tensor in writer.held:
        return Typed(*writer.held[scalar.tensor])
    dtype = writer.space.dtypes[scalar.tensor]
    carried = writer.carried.get(scalar.tensor)
    return Typed(element(writer, scalar) if carried is None else writer.value(carried), dtype)


def element(writer: Writer, scalar: Read) -> Expr:
    """`tensor[indices]`, guarded where an index may lie outside: then it is the fill."""
    tensor = writer.space.tensors[scalar.tensor]
    count = len(tensor.axes) - len(scalar.indices)
    places = [leading(writer, tensor.axes[a], writer.space.lead - count + a) for a in range(count)]
    guards: dict[str, Expr] = {}
    for index, size in zip(scalar.indices, tensor.axes[count:]):
        place, within = position(writer, index, size)
        places.append(place)
        if within is not None:
            guards[f"{format_scalar(index)} < {writer.name(size)}"] = within
    flat = writer.flat(places, tensor.axes)
    variable = writer.buffer(tensor)
    if not guards:
        return from_memory(writer.load(variable, flat), tensor.dtype)
    inside = kept(writer, " and ".join(guards), lambda: reduce(conjunction, guards.values()))
    flat = AT.call(Builtin.SELECT, Const(0, U32, None), flat, inside)
    loaded = from_memory(writer.load(variable, flat), tensor.dtype)
    fill = Typed(0, None) if scalar.fill is None else value_of(writer, scalar.fill)
    return AT.call(Builtin.SELECT, expr_as(fill, tensor.dtype), loaded, inside)


def conjunction(x: Expr, y: Expr) -> Expr:
    return AT.binary(BinaryOp.LOGICAL_AND, x, y)


def from_memory(loaded: Expr, dtype: Dtype) -> Expr:
    return as_condition(loaded) if dtype is Dtype.BOOL else loaded


def leading(writer: Writer, size: Quantity, number: int) -> Expr:
    """A leading index; an axis of size 1 is read at 0, as numpy broadcasts."""
    place = writer.leads[number]
    if writer.space.leads()[number] == writer.space.root(size):
        return place
    return AT.call(Builtin.MIN, place, AT.binary(BinaryOp.SUB, writer.size(size), AT.number(1, U32)))


def position(writer: Writer, index: Scalar, size: Quantity) -> tuple[Expr, Expr | None]:
    """Where an index points, as u32, and whether that is inside the axis; None where it always is. Below 0 it is very large."""
    if isinstance(index, Index):
        place = writer.places[index.name]
    else:
        place = kept(writer, f"u32({format_scalar(index)})", lambda: computed_place(writer, index))
    if writer.surely_inside(index, size):
        return place, None
    inside = f"{format_scalar(index)} < {writer.name(size)}"
    return place, kept(writer, inside, lambda: AT.binary(BinaryOp.LT, place, writer.size(size)))


def computed_place(writer: Writer, index: Scalar) -> Expr:
    found = writer.exact_place(index)
    return unsigned(value_of(writer, index)) if found is None else found


def kept(writer: Writer, text: str, make: Callable[[], Expr]) -> Expr:
    """A position or its guard, made once in a block; no formula has this text, for `position` is not its word."""
    key = f"position {text}"
    if key not in writer.known:
        writer.known[key] = make(), None
    return writer.known[key][0]


def unsigned(typed: Typed) -> Expr:
    if isinstance(typed.value, bool | int | float):
        return Const(int(typed.value) % 2**32, U32, None)
    return AT.convert(expr_as(typed, Dtype.U32 if typed.kind is Dtype.U32 else Dtype.I32), U32)
