"""What each kind of stage computes in one invocation: a map an element, a reduction an element with serial loops, a scan a channel.

Sums of f32 go through three accumulators: runs of 16 terms, of 16 runs, and the rest, so that the error stays below
(34 + n / 256) * 2**-24 of the sum of the terms' sizes: 50 * 2**-24 = 3e-6 at 4,096 terms. The order of the terms never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from functools import reduce
from typing import assert_never

from shaderdsl.errors import InternalError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, Variable
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F32, U32
from shaderdsl.schedule.sizes import Quantity, Tensor
from shaderdsl.schedule.step import TYPES
from shaderdsl.schedule.values import Typed, expr_as, literal, value_of
from shaderdsl.schedule.writer import AT, Writer
from shaderdsl.spec.notation import Dtype, Reduction, ReductionKind, Scalar, Scan

RUN, LONG_RUN = 16, 256


def write_map(writer: Writer, target: Tensor, indices: Sequence[str], value: Scalar) -> tuple[Quantity, ...]:
    """One element of a map."""
    points = open_points(writer, indices)
    result = expr_as(value_of(writer, value), target.dtype)
    store(writer, target, indices, result)
    return points


def open_points(writer: Writer, indices: Sequence[str]) -> tuple[Quantity, ...]:
    space = writer.space
    return writer.open(space.leads(), [(n, space.extent(n)) for n in indices])


def store(writer: Writer, target: Tensor, indices: Sequence[str], value: Expr) -> None:
    """Write the element at the current indices."""
    places = [*writer.leads, *(writer.places[n] for n in indices)]
    sizes = [*writer.space.leads(), *(writer.space.extent(n) for n in indices)]
    writer.store(writer.buffer(target), writer.flat(places, sizes), value)


def write_reduction(
    writer: Writer, target: Tensor, indices: Sequence[str], how: Reduction, value: Scalar
) -> tuple[Quantity, ...]:
    """One element of a reduction."""
    points = open_points(writer, indices)
    over = [b.name for b in how.over]
    match how.kind:
        case ReductionKind.SUM | ReductionKind.MEAN if target.dtype is Dtype.F32:
            result = float_sum(writer, over, value)
        case ReductionKind.SUM | ReductionKind.MEAN:
            result = accumulated(writer, over, value, target.dtype, 0, added)
        case ReductionKind.PROD:
            result = accumulated(writer, over, value, target.dtype, 1, multiplied)
        case ReductionKind.MAX:
            result = extreme(writer, over, value, target.dtype, Builtin.MAX)
        case ReductionKind.MIN:
            result = extreme(writer, over, value, target.dtype, Builtin.MIN)
        case _:
            assert_never(how.kind)
    if how.kind is ReductionKind.MEAN:
        result = AT.binary(BinaryOp.DIV, result, count_of(writer, over))
    store(writer, target, indices, result)
    return points


def count_of(writer: Writer, over: Sequence[str]) -> Expr:
    """How many terms there are, as f32."""
    sizes = [AT.convert(writer.size(writer.space.extent(name)), F32) for name in over]
    return reduce(multiplied, sizes)


def added(x: Expr, y: Expr) -> Expr:
    return AT.binary(BinaryOp.ADD, x, y)


def multiplied(x: Expr, y: Expr) -> Expr:
    return AT.binary(BinaryOp.MUL, x, y)


@contextmanager
def loops(writer: Writer, over: Sequence[str]) -> Generator[None]:
    """Serial loops over indices, the last one innermost."""
    with ExitStack() as stack:
        for name in over:
            stack.enter_context(writer.loop(name, writer.space.extent(name)))
        yield


def term(writer: Writer, value: Scalar, dtype: Dtype) -> Expr:
    return expr_as(value_of(writer, value), dtype)


def accumulated(
    writer: Writer, over: Sequence[str], value: Scalar, dtype: Dtype, start: int, combine: Callable[[Expr, Expr], Expr]
) -> Expr:
    """Terms combined one after the other."""
    total = writer.declare("total", TYPES[dtype], literal(start, dtype))
    with loops(writer, over):
        added_term = term(writer, value, dtype)
        writer.assign(total, combine(writer.value(total), added_term))
    return writer.value(total)


def extreme(writer: Writer, over: Sequence[str], value: Scalar, dtype: Dtype, builtin: Builtin) -> Expr:
    """The greatest or least term; it starts at the first one."""
    best = writer.declare("best", TYPES[dtype], literal(0, dtype))
    with loops(writer, over):
        found = term(writer, value, dtype)
        first: Expr | None = None
        for name in over:
            at_start = AT.binary(BinaryOp.EQ, writer.places[name], Const(0, U32, None))
            first = at_start if first is None else AT.binary(BinaryOp.LOGICAL_AND, first, at_start)
        if first is None:
            raise InternalError("a reduction over nothing")
        further = AT.call(builtin, writer.value(best), found)
        writer.assign(best, AT.call(Builtin.SELECT, further, found, first))
    return writer.value(best)


def float_sum(writer: Writer, over: Sequence[str], value: Scalar) -> Expr:
    """A sum of f32 in runs: a long sum in one accumulator loses a digit for each ten terms more."""
    zero = Const(0.0, F32, None)
    run, long_run, total = (writer.declare(n, F32, zero) for n in ("run", "long_run", "total"))
    counter = writer.declare("terms", U32, Const(0, U32, None)) if len(over) > 1 else None
    with loops(writer, over):
        next_term = term(writer, value, Dtype.F32)
        writer.assign(run, added(writer.value(run), next_term))
        number = count_terms(writer, counter) if counter is not None else writer.places[over[0]]
        with writer.when(ends(number, RUN)):
            pour(writer, run, long_run)
            with writer.when(ends(number, LONG_RUN)):
                pour(writer, long_run, total)
    rest = added(writer.value(long_run), writer.value(run))
    return added(writer.value(total), rest)


def count_terms(writer: Writer, counter: Variable) -> Expr:
    """The number of this term, counted on."""
    number = writer.value(counter)
    writer.assign(counter, added(number, Const(1, U32, None)))
    return number


def ends(number: Expr, length: int) -> Expr:
    """Whether a run of a power of two ends with this term."""
    last = Const(length - 1, U32, None)
    return AT.binary(BinaryOp.EQ, AT.binary(BinaryOp.AND, number, last), last)


def pour(writer: Writer, source: Variable, target: Variable) -> None:
    """Add one accumulator to the next and empty it."""
    writer.assign(target, added(writer.value(target), writer.value(source)))
    writer.assign(source, Const(0.0, F32, None))


def write_scan(
    writer: Writer, targets: Sequence[Tensor], indices: Sequence[str], how: Scan, values: Sequence[Scalar]
) -> tuple[Quantity, ...]:
    """One channel of a scan: every step stores what is carried on."""
    points = open_points(writer, [n for n in indices if n != how.index])
    carried = start(writer, targets, how)
    size = writer.space.extent(how.index)
    with writer.loop("step" if how.backwards else how.index, size) as step:
        if how.backwards:
            last = AT.binary(BinaryOp.SUB, writer.size(size), Const(1, U32, None))
            writer.places[how.index] = writer.trace.let(AT.binary(BinaryOp.SUB, last, step), None, name=how.index)
        writer.carried = {t.name: v for t, v in zip(targets, carried)}
        found = [expr_as(value_of(writer, v), t.dtype) for v, t in zip(values, targets)]
        writer.carried = {}
        for value, target, variable in zip(found, targets, carried):
            writer.assign(variable, value)
            store(writer, target, indices, value)
    return points


def start(writer: Writer, targets: Sequence[Tensor], how: Scan) -> list[Variable]:
    """What is carried, before the first step."""
    writer.places[how.index] = Const(0, U32, None)
    starts = how.starts or ()
    begun = [value_of(writer, s) for s in starts] or [Typed(0, None) for _ in targets]
    made = [writer.declare(f"{t.name}_now", TYPES[t.dtype], expr_as(b, t.dtype)) for t, b in zip(targets, begun)]
    writer.known.clear()
    writer.signed.pop(how.index, None)
    return made
