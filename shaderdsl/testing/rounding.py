"""How far a device may be from a formula, element by element: a running error analysis of its stages in float64.

bounds = bounds_of(softmax, {"x": x})      # every stage by name, the errors that WGSL's accuracies allow at these arguments
bounds["y"].value, bounds["y"].error       # infinite where nothing is promised
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, assert_never

import numpy as np

from shaderdsl.spec.dtypes import Kind, common, function_kind, operation_kind, stage_dtypes
from shaderdsl.spec.functions import FUNCTIONS, Domain
from shaderdsl.spec.grid import ARITHMETIC, TRUTHS, Frame, read, value_of, wrapped
from shaderdsl.spec.grid import converted as as_kind
from shaderdsl.spec.notation import (
    Dtype,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Parameter,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    ScalarInput,
    Scan,
    Size,
    Stage,
)
from shaderdsl.spec.reference import given_array, one
from shaderdsl.spec.rewrite import subscalars
from shaderdsl.spec.shapes import StageSizes, bind_sizes
from shaderdsl.testing.near import (
    NONE,
    Near,
    chosen,
    compared,
    converted,
    exactly,
    extreme,
    literal,
    made,
)
from shaderdsl.testing.near_forms import call_form
from shaderdsl.testing.near_sums import reduced
from shaderdsl.testing.samples import Array

MOST_FACTORS = 64
ORDERED = {Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE}
LOGICAL = {Operator.AND, Operator.OR, Operator.NOT}


@dataclass(frozen=True, slots=True)
class Block:
    """A stage's index space, with the errors of all that it reads beside the values."""

    frame: Frame
    errors: Mapping[str, Array]
    carried: Mapping[str, Array]


def bounds_of(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Near]:
    """Values and errors of all stages, and of the inputs, which a device has as f32."""
    given = {i.name: given_array(i, arguments, np.float64) for i in spec.inputs}
    known: dict[str, Near] = {}
    for each in spec.inputs:
        array = given[each.name]
        known[each.name] = given_near(array) if each.dtype is Dtype.F32 else exactly(array)
    whole = {i.name: int(given[i.name]) for i in spec.inputs if isinstance(i, ScalarInput) and i.dtype is not Dtype.F32}
    shapes = {i.name: given[i.name].shape for i in spec.inputs if not isinstance(i, ScalarInput)}
    sizes = bind_sizes(spec, shapes, whole)
    dtypes = stage_dtypes(spec)
    with np.errstate(all="ignore"):
        for number in range(len(spec.stages)):
            known |= bounds_of_stage(spec, number, sizes.stages[number], known, dtypes)
    return known


def given_near(array: Array) -> Near:
    """An argument, which is rounded once; a subnormal number may be taken for 0."""
    found = exactly(array)
    return Near(array, found.spread, literal(array).spread)


def bounds_of_stage(
    spec: OpSpec, number: int, sizes: StageSizes, known: Mapping[str, Near], dtypes: Mapping[str, Dtype]
) -> dict[str, Near]:
    stage = spec.stages[number]
    shape = (*sizes.leading, *sizes.extents.values())
    values = {n: v.value for n, v in known.items()}
    errors = {n: np.broadcast_to(v.error, np.shape(v.value)) for n, v in known.items()}
    ranges = tuple(range(n) for n in shape)
    block = Block(Frame(spec, number, sizes, values, dtypes, tuple(sizes.extents), ranges, {}), errors, {})
    match stage.how:
        case None:
            found = as_float(*near_of(stage.values[0], block), dtypes[stage.targets[0].name])
            return {stage.targets[0].name: spread_over(found, shape)}
        case Reduction(kind, _):
            name = stage.targets[0].name
            kept = len(sizes.leading) + len(stage.targets[0].bounds)
            found = spread_over(as_float(*near_of(stage.values[0], block), summed_kind(kind, dtypes[name])), shape)
            return {name: reduced(kind, found, kept, dtypes[name])}
        case Scan():
            return scanned(stage, stage.how, block, dtypes)
        case _:
            assert_never(stage.how)


def summed_kind(kind: ReductionKind, target: Dtype) -> Dtype:
    return Dtype.F32 if kind is ReductionKind.MEAN else target


def spread_over(found: Near, shape: tuple[int, ...]) -> Near:
    return Near(*(np.broadcast_to(a, shape) for a in (found.value, found.spread, found.fresh)))


def as_float(found: Near, kind: Kind, to: Kind) -> Near:
    """A value in another kind."""
    if to is Dtype.F32:
        return found if kind is Dtype.F32 else converted(found)
    return Near(as_kind(found.value, kind, to), found.spread, found.fresh)


def scanned(stage: Stage, how: Scan, block: Block, dtypes: Mapping[str, Dtype]) -> dict[str, Near]:
    """Step by step, as the reference does."""
    frame = block.frame
    place = frame.leading + frame.names.index(how.index)
    names = [t.name for t in stage.targets]
    shape = tuple(1 if n == place else size for n, size in enumerate(frame.shape))
    now = {
        n: spread_over(exactly(np.zeros(shape, np.float64 if dtypes[n] is Dtype.F32 else np.int64)), shape)
        for n in names
    }
    if how.starts is not None and frame.shape[place]:
        first = step_of(block, place, 0, {})
        for name, start in zip(names, how.starts):
            now[name] = spread_over(as_float(*near_of(start, first), dtypes[name]), shape)
    found: dict[int, dict[str, Near]] = {}
    steps = range(frame.shape[place])
    for step in reversed(steps) if how.backwards else steps:
        at = step_of(block, place, step, now)
        results = [near_of(v, at) for v in stage.values]
        now = found[step] = {n: spread_over(as_float(*r, dtypes[n]), shape) for n, r in zip(names, results)}
    return {n: joined([found[s][n] for s in steps], place, frame.shape) for n in names}


def joined(parts: list[Near], place: int, shape: tuple[int, ...]) -> Near:
    if not parts:
        return exactly(np.zeros(shape))
    return Near(
        *(
            np.concatenate(a, place)
            for a in ([p.value for p in parts], [p.spread for p in parts], [p.fresh for p in parts])
        )
    )


def step_of(block: Block, place: int, step: int, now: Mapping[str, Near]) -> Block:
    frame = block.frame
    values = {n: v.value for n, v in now.items()}
    return replace(
        block,
        frame=replace(frame, ranges=one(frame.ranges, place, step), carried=values),
        carried={n: v.error for n, v in now.items()},
    )


# Scalars.


def near_of(scalar: Scalar, block: Block) -> tuple[Near, Kind]:
    """An expression over the block, with its errors, and its kind."""
    match scalar:
        case Number() | Index() | Size():
            return constant(scalar, block)
        case Operation() | Function() if not any(
            isinstance(s, Index | Size | Parameter | Read) for s in subscalars(scalar)
        ):
            return constant(scalar, block)
        case Parameter(name):
            return Near(block.frame.values[name], block.errors[name], NONE), block.frame.dtypes[name]
        case Read():
            return read_near(scalar, block), block.frame.dtypes[scalar.tensor]
        case Operation(operator, arguments):
            return operated(operator, arguments, block)
        case Function(name, arguments):
            return applied(name, [near_of(a, block) for a in arguments])
        case _:
            assert_never(scalar)


def constant(scalar: Scalar, block: Block) -> tuple[Near, Kind]:
    """A number, or what is computed once in float64."""
    value, kind = value_of(scalar, block.frame)
    return (literal(value) if kind is Dtype.F32 else exactly(value)), kind


def read_near(scalar: Read, block: Block) -> Near:
    """An element and its error; what is read outside is exact."""
    frame = block.frame
    value = read(scalar, frame)
    if scalar.tensor in block.carried:
        return Near(value, block.carried[scalar.tensor], NONE)
    errors = replace(frame, values={**frame.values, scalar.tensor: block.errors[scalar.tensor]})
    filled = scalar if scalar.fill is None else replace(scalar, fill=Number(0))
    return Near(value, np.asarray(read(filled, errors), np.float64), NONE)


def operated(operator: Operator, arguments: tuple[Scalar, ...], block: Block) -> tuple[Near, Kind]:
    """An operation: operands meet in one kind first."""
    found = [near_of(a, block) for a in arguments]
    kinds = [k for _, k in found]
    kind = operation_kind(operator, arguments, kinds, None)
    if operator in LOGICAL:
        value = np.asarray(TRUTHS[operator](*(n.value for n, _ in found)))
        return Near(value, largest([n for n, _ in found]), NONE), kind
    if operator is Operator.POW and kind is Dtype.F32:
        return power(as_float(*found[0], Dtype.F32), arguments[1], as_float(*found[1], Dtype.F32)), kind
    meeting = common(kinds) if kind is Dtype.BOOL else kind
    operands = [as_float(n, k, meeting) for n, k in found]
    if operator in ORDERED:
        return compared(TRUTHS[operator], *operands), kind
    if kind is not Dtype.F32:
        value = wrapped(np.asarray(ARITHMETIC[operator](*(o.value for o in operands))), kind)
        return Near(value, np.where(largest(operands) > 0, np.inf, 0.0), NONE), kind
    match operator:
        case Operator.ADD:
            return operands[0] + operands[1], kind
        case Operator.SUB:
            return operands[0] - operands[1], kind
        case Operator.MUL:
            return operands[0] * operands[1], kind
        case Operator.DIV:
            return operands[0] / operands[1], kind
        case _:
            return -operands[0], kind


def largest(found: list[Near]) -> Array:
    total: Array = found[0].error
    for each in found[1:]:
        total = np.maximum(total, each.error)
    return np.asarray(total)


def power(x: Near, written: Scalar, exponent: Near) -> Near:
    """As the schedule has it: products, roots, else pow."""
    by = float(exponent.value) if isinstance(written, Number | Operation) and np.ndim(exponent.value) == 0 else None
    if by is not None and by.is_integer() and abs(by) <= MOST_FACTORS:
        product = exactly(np.ones(np.shape(x.value)))
        for _ in range(abs(int(by))):
            product = product * x
        return product if by >= 0 else exactly(np.float64(1.0)) / product
    if by is not None and abs(by) == 0.5:
        return call_form("sqrt" if by > 0 else "rsqrt", [x])
    return call_form("pow", [x, exponent])


def applied(name: str, found: list[tuple[Near, Kind]]) -> tuple[Near, Kind]:
    """A function of the table."""
    row = FUNCTIONS[name]
    kinds = [k for _, k in found]
    kind = function_kind(row, kinds, None)
    if row.domain is Domain.SELECT:
        return chosen(found[0][0], *(as_float(n, k, kind) for n, k in found[1:])), kind
    if row.domain is Domain.TO_F32:
        return as_float(*found[0], Dtype.F32), kind
    if kind is not Dtype.F32 or row.domain in (Domain.TO_I32, Domain.TO_U32):
        value = wrapped(np.asarray(row.meaning(*(n.value for n, _ in found))), kind)
        return Near(value, np.where(largest([n for n, _ in found]) > 0, np.inf, 0.0), NONE), kind
    arguments = [as_float(n, k, Dtype.F32) for n, k in found]
    match name:
        case "stop_gradient" | "straight_through":
            return arguments[0], kind
        case "ldexp":
            return scaled(arguments[0], found[1]), kind
        case "max" | "min":
            return extreme(row.meaning, *arguments), kind
        case _:
            return call_form(name, arguments), kind


def scaled(x: Near, exponent: tuple[Near, Kind]) -> Near:
    """x * 2 ** exponent: exact for a whole exponent, a product for another."""
    if exponent[1] is Dtype.F32:
        return x * call_form("exp2", [exponent[0]])
    factor = np.exp2(np.asarray(exponent[0].value, np.float64))
    return made(x.value * factor, x.error * factor)
