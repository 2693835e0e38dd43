"""What a spec means, cell by cell in plain Python: slow, and written without looking at the reference's arrays.

slow_evaluate(spec, {"x": x})["y"]
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import itertools
import math
import operator as python
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shaderdsl.spec.dtypes import stage_dtypes
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
    Scan,
    Size,
)
from shaderdsl.spec.shapes import bind_sizes, size_of


def wrap(value: Any, dtype: Dtype | None) -> Any:
    """A whole number in 32 bits."""
    if dtype is Dtype.I32:
        return (int(value) + 2**31) % 2**32 - 2**31
    if dtype is Dtype.U32:
        return int(value) % 2**32
    return float(value) if dtype is Dtype.F32 else value


@dataclass(frozen=True, slots=True)
class Cell:
    """One position of a stage: its leading position and the number of each index."""

    spec: OpSpec
    number: int
    extents: Mapping[str, int]
    values: Mapping[str, Any]
    dtypes: Mapping[str, Dtype]
    lead: tuple[int, ...]
    at: Mapping[str, int]


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def choose(condition: bool, chosen: Any, otherwise: Any) -> Any:
    return chosen if condition else otherwise


CALLS: dict[str, Any] = {
    "tanh": math.tanh,
    "abs": abs,
    "max": max,
    "min": min,
    "sigmoid": sigmoid,
    "where": choose,
    "bit_xor": python.xor,
    "bit_and": python.and_,
}
OPERATIONS: dict[Operator, Any] = {
    Operator.ADD: python.add,
    Operator.SUB: python.sub,
    Operator.MUL: python.mul,
    Operator.DIV: python.truediv,
    Operator.FLOOR_DIV: python.floordiv,
    Operator.MOD: python.mod,
    Operator.POW: python.pow,
    Operator.NEG: python.neg,
    Operator.EQ: python.eq,
    Operator.NE: python.ne,
    Operator.LT: python.lt,
    Operator.LE: python.le,
    Operator.GT: python.gt,
    Operator.GE: python.ge,
    Operator.AND: python.and_,
    Operator.OR: python.or_,
    Operator.NOT: python.not_,
}


def is_unsigned(scalar: Scalar, cell: Cell) -> bool:
    """Whether an expression of whole numbers is u32: the generator never mixes."""
    match scalar:
        case Read(tensor):
            return cell.dtypes[tensor] is Dtype.U32
        case Operation(_, arguments) | Function(_, arguments):
            return any(is_unsigned(a, cell) for a in arguments)
        case _:
            return False


def value(scalar: Scalar, cell: Cell) -> Any:
    match scalar:
        case Number(constant):
            return constant
        case Index(name):
            return cell.at[name]
        case Size(name):
            shapes = {n: np.shape(v) for n, v in cell.values.items()}
            return size_of(cell.spec, cell.number, name, cell.extents, shapes)
        case Parameter(name):
            return cell.values[name]
        case Read():
            return element(scalar, cell)
        case Operation(sign, arguments):
            found = OPERATIONS[sign](*(value(a, cell) for a in arguments))
        case Function(name, arguments):
            found = CALLS[name](*(value(a, cell) for a in arguments))
    if isinstance(found, int) and not isinstance(found, bool) and is_unsigned(scalar, cell):
        return found % 2**32
    return found


def element(read: Read, cell: Cell) -> Any:
    array = cell.values[read.tensor]
    count = array.ndim - len(read.indices)
    lead = cell.lead[len(cell.lead) - count :] if count else ()
    place = [0 if size == 1 else p for p, size in zip(lead, array.shape)]
    for index, size in zip(read.indices, array.shape[count:]):
        position = value(index, cell)
        if not 0 <= position < size:
            return value(read.fill, cell) if read.fill is not None else 0
        place.append(position)
    return array[tuple(place)].item()


def reduce(kind: ReductionKind, found: list[Any]) -> Any:
    match kind:
        case ReductionKind.SUM:
            return sum(found)
        case ReductionKind.MEAN:
            return sum(found) / len(found)
        case ReductionKind.PROD:
            return math.prod(found)
        case ReductionKind.MAX:
            return max(found)
        case ReductionKind.MIN:
            return min(found)


def slow_evaluate(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Every stage by name."""
    tensors = {n: v for n, v in arguments.items() if np.ndim(v)}
    whole = {n: int(v) for n, v in arguments.items() if not np.ndim(v)}
    sizes = bind_sizes(spec, {n: v.shape for n, v in tensors.items()}, whole)
    dtypes = stage_dtypes(spec)
    values: dict[str, Any] = dict(arguments)
    for number, stage in enumerate(spec.stages):
        found = sizes.stages[number]
        shapes = [sizes.shapes[t.name] for t in stage.targets]
        kinds = {Dtype.F32: np.float64, Dtype.BOOL: np.bool_}
        for target, shape in zip(stage.targets, shapes):
            values[target.name] = np.zeros(shape, dtype=kinds.get(dtypes[target.name], np.int64))
        left = [b.name for b in stage.targets[0].bounds]
        over = [b.name for b in stage.how.over] if isinstance(stage.how, Reduction) else []
        cells = list(itertools.product(*(range(found.extents[n]) for n in left)))
        if isinstance(stage.how, Scan):
            place = left.index(stage.how.index)
            cells.sort(key=python.itemgetter(place), reverse=stage.how.backwards)
        for lead in itertools.product(*(range(n) for n in found.leading)):
            for numbers in cells:
                at = dict(zip(left, numbers))
                cell = Cell(spec, number, found.extents, values, dtypes, lead, at)
                if isinstance(stage.how, Reduction):
                    inner = itertools.product(*(range(found.extents[n]) for n in over))
                    all_values = [
                        value(
                            stage.values[0],
                            Cell(spec, number, found.extents, values, dtypes, lead, at | dict(zip(over, i))),
                        )
                        for i in inner
                    ]
                    results = [reduce(stage.how.kind, all_values)]
                else:
                    results = [carried(v, cell, stage.how) for v in stage.values]
                for target, result in zip(stage.targets, results):
                    values[target.name][(*lead, *numbers)] = wrap(result, dtypes[target.name])
    return {n: v for n, v in values.items() if n not in arguments}


def carried(scalar: Scalar, cell: Cell, how: Scan | None) -> Any:
    """A value; at the first step of a scan with a start, what it carries is that."""
    if how is None or how.starts is None:
        return value(scalar, cell)
    first = cell.extents[how.index] - 1 if how.backwards else 0
    if cell.at[how.index] != first:
        return value(scalar, cell)
    names = [t.name for t in cell.spec.stages[cell.number].targets]
    begun = dict(zip(names, how.starts))
    return value(started(scalar, begun), cell)


def started(scalar: Scalar, begun: Mapping[str, Scalar]) -> Scalar:
    """The expression with the start in place of the scan's reads of itself."""
    match scalar:
        case Read(tensor, indices, fill, leading):
            if tensor in begun:
                return begun[tensor]
            return Read(tensor, tuple(started(i, begun) for i in indices), fill, leading)
        case Operation(sign, arguments):
            return Operation(sign, tuple(started(a, begun) for a in arguments))
        case Function(name, arguments):
            return Function(name, tuple(started(a, begun) for a in arguments))
        case _:
            return scalar
