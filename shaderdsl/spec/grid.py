"""Expressions over a block of a stage's index space, vectorised: each index is an axis of the arrays.

value_of(parse("x[i] * j"), frame)        # an array of shape (extent of i, extent of j) or one that broadcasts to it
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from shaderdsl.errors import LaunchError
from shaderdsl.spec.axes import walk
from shaderdsl.spec.dtypes import Kind, common, function_kind, operation_kind
from shaderdsl.spec.functions import FUNCTIONS, Domain, ScalarFunction
from shaderdsl.spec.meanings import power
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
    Scalar,
    Size,
)
from shaderdsl.spec.print import format_scalar
from shaderdsl.spec.shapes import StageSizes, size_of

Array: TypeAlias = npt.NDArray[Any]
CELLS = 1 << 21
"""The most cells of one block: what bounds the memory of an evaluation."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A block of stage `number`: a range for each axis, first the leading ones, then the indices in `names`."""

    spec: OpSpec
    number: int
    sizes: StageSizes
    values: Mapping[str, Array]
    dtypes: Mapping[str, Dtype]
    names: tuple[str, ...]
    ranges: tuple[range, ...]
    carried: Mapping[str, Array]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(r) for r in self.ranges)

    @property
    def leading(self) -> int:
        return len(self.ranges) - len(self.names)

    def axis(self, position: int) -> Array:
        """The numbers along one axis, for broadcasting."""
        shape = [1] * len(self.ranges)
        shape[position] = -1
        along = self.ranges[position]
        return np.arange(along.start, along.stop, dtype=np.int64).reshape(shape)


def blocks(shape: Sequence[int], cells: int = CELLS) -> Iterator[tuple[range, ...]]:
    """Ranges that cover an index space, each of at most `cells` cells; the last axes stay whole the longest."""
    steps: list[int] = []
    rest = int(np.prod(shape, dtype=np.int64))
    for size in shape:
        rest = rest // size if size else 0
        steps.append(max(1, min(size, cells // max(rest, 1))))
        cells = max(1, cells // steps[-1])
    yield from itertools.product(
        *([range(a, min(a + step, size)) for a in range(0, size, step)] for size, step in zip(shape, steps))
    )


def wrapped(array: Array, kind: Kind) -> Array:
    """Whole numbers in 32 bits; those without a type stay as they are."""
    if kind is Dtype.I32:
        return ((array + 2**31) & 0xFFFFFFFF) - 2**31
    return array & 0xFFFFFFFF if kind is Dtype.U32 else array


def converted(array: Array, kind: Kind, to: Kind) -> Array:
    """An array of one kind in another: whole numbers are int64, floats keep their width."""
    if to is Dtype.F32:
        return array if kind is Dtype.F32 else array.astype(np.float64)
    if to is Dtype.BOOL:
        return array if kind is Dtype.BOOL else np.asarray(array != 0)
    whole = array.astype(np.int64) if kind is Dtype.BOOL else array
    return wrapped(whole, to)


def value_of(scalar: Scalar, frame: Frame) -> tuple[Array, Kind]:
    """The values of an expression over the block, and their kind."""
    match scalar:
        case Number(value):
            whole = isinstance(value, int)
            return np.asarray(value, dtype=np.int64 if whole else np.float64), None if whole else Dtype.F32
        case Index(name):
            return frame.axis(frame.leading + frame.names.index(name)), None
        case Size(name):
            shapes = {n: v.shape for n, v in frame.values.items()}
            return np.asarray(size_of(frame.spec, frame.number, name, frame.sizes.extents, shapes)), None
        case Parameter(name):
            return frame.values[name], frame.dtypes[name]
        case Read():
            return read(scalar, frame), frame.dtypes[scalar.tensor]
        case Operation(operator, arguments):
            return operate(operator, arguments, frame)
        case Function(name, arguments):
            return apply(FUNCTIONS[name], [value_of(a, frame) for a in arguments])
        case _:
            assert_never(scalar)


def floored(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """A flooring division: by zero it is 0."""
    return lambda a, b: np.where(b == 0, 0, function(a, np.where(b == 0, 1, b)))


ARITHMETIC: dict[Operator, Callable[..., Any]] = {
    Operator.ADD: np.add,
    Operator.SUB: np.subtract,
    Operator.MUL: np.multiply,
    Operator.DIV: np.divide,
    Operator.FLOOR_DIV: floored(np.floor_divide),
    Operator.MOD: floored(np.remainder),
    Operator.POW: power,
    Operator.NEG: np.negative,
}
TRUTHS: dict[Operator, Callable[..., Any]] = {
    Operator.EQ: np.equal,
    Operator.NE: np.not_equal,
    Operator.LT: np.less,
    Operator.LE: np.less_equal,
    Operator.GT: np.greater,
    Operator.GE: np.greater_equal,
    Operator.AND: np.logical_and,
    Operator.OR: np.logical_or,
    Operator.NOT: np.logical_not,
}


def operate(operator: Operator, arguments: Sequence[Scalar], frame: Frame) -> tuple[Array, Kind]:
    """An operation: operands meet in one kind first; complex numbers compare by their real parts."""
    found = [value_of(a, frame) for a in arguments]
    kinds = [k for _, k in found]
    kind = operation_kind(operator, arguments, kinds, None)
    if operator in (Operator.AND, Operator.OR, Operator.NOT):
        return np.asarray(TRUTHS[operator](*(v for v, _ in found))), kind
    meeting = common(kinds) if kind is Dtype.BOOL else kind
    operands = [converted(v, k, meeting) for v, k in found]
    if kind is Dtype.BOOL:
        return np.asarray(TRUTHS[operator](*(np.real(v) for v in operands))), kind
    return wrapped(np.asarray(ARITHMETIC[operator](*operands)), kind), kind


def apply(function: ScalarFunction, found: Sequence[tuple[Array, Kind]]) -> tuple[Array, Kind]:
    """A call of a function of the table."""
    kinds = [k for _, k in found]
    kind = function_kind(function, kinds, None)
    match function.domain:
        case Domain.FLOAT:
            arguments = [converted(v, k, Dtype.F32) for v, k in found]
        case Domain.NUMERIC | Domain.IDENTITY:
            arguments = [converted(v, k, kind) for v, k in found]
        case Domain.SELECT:
            arguments = [found[0][0], *(converted(v, k, kind) for v, k in found[1:])]
        case Domain.TO_F32 | Domain.TO_I32 | Domain.TO_U32:
            arguments = [v for v, _ in found]
        case Domain.INTEGER | Domain.PACKED_I32 | Domain.PACKED_U32:
            return in_bits(function, found, kind)
        case _:
            assert_never(function.domain)
    return wrapped(np.asarray(function.meaning(*arguments)), kind), kind


def in_bits(function: ScalarFunction, found: Sequence[tuple[Array, Kind]], kind: Kind) -> tuple[Array, Kind]:
    """A function of bits: on arrays of 32-bit numbers."""
    packed = function.domain is not Domain.INTEGER
    width = np.uint32 if packed or kind is Dtype.U32 else np.int32
    bits = [wrapped(v.astype(np.int64), Dtype.U32).astype(np.uint32) for v, _ in found]
    first = len(bits) - function.counts
    arguments = [*(b.astype(width) for b in bits[:first]), *bits[first:]]
    return np.asarray(function.meaning(*arguments)).astype(np.int64), kind


def read(scalar: Read, frame: Frame) -> Array:
    """The elements that a read takes over the block."""
    if scalar.tensor in frame.carried:
        return frame.carried[scalar.tensor]
    array = frame.values[scalar.tensor]
    return view(scalar, array, frame) if is_plain(scalar, array, frame) else taken(scalar, array, frame)


def is_plain(scalar: Read, array: Array, frame: Frame) -> bool:
    """Whether every index stands alone, once, within its axis."""
    names = [i.name for i in scalar.indices if isinstance(i, Index)]
    if len(names) != len(scalar.indices) or len(set(names)) != len(names):
        return False
    sizes = array.shape[array.ndim - len(names) :]
    return all(frame.ranges[frame.leading + frame.names.index(n)].stop <= size for n, size in zip(names, sizes))


def view(scalar: Read, array: Array, frame: Frame) -> Array:
    """A plain read: slices, transposed into the order of the block."""
    count = array.ndim - len(scalar.indices)
    places = [*range(frame.leading - count, frame.leading)]
    places += [frame.leading + frame.names.index(i.name) for i in scalar.indices if isinstance(i, Index)]
    cuts = tuple(
        slice(None) if axis < count and array.shape[axis] == 1 else slice(frame.ranges[p].start, frame.ranges[p].stop)
        for axis, p in enumerate(places)
    )
    cut = array[cuts]
    order = sorted(range(array.ndim), key=lambda axis: places[axis])
    shape = [1] * len(frame.ranges)
    for axis, place in enumerate(places):
        shape[place] = cut.shape[axis]
    return cut.transpose(order).reshape(shape)


def taken(scalar: Read, array: Array, frame: Frame) -> Array:
    """A read by computed indices: out of range it is the fill, for a gather without one an error."""
    count = array.ndim - len(scalar.indices)
    chosen: list[Array] = []
    for axis in range(count):
        along = frame.axis(frame.leading - count + axis)
        chosen.append(along if array.shape[axis] > 1 else np.zeros_like(along))
    inside: Array = np.asarray(True)
    for place, index in enumerate(scalar.indices):
        at = value_of(index, frame)[0]
        size = array.shape[count + place]
        within = np.asarray((at >= 0) & (at < size))
        if scalar.fill is None and is_gather(index) and not within.all():
            raise outside(scalar, place, at, within, size, frame)
        inside = inside & within
        chosen.append(np.clip(at, 0, max(size - 1, 0)))
    filling = filling_of(scalar, array, frame)
    if 0 in array.shape:
        return filling if filling.ndim else np.broadcast_to(filling, np.broadcast_shapes(*(c.shape for c in chosen)))
    elements = np.asarray(array[tuple(chosen)])
    return elements if inside.all() else np.where(inside, elements, filling)


def is_gather(index: Scalar) -> bool:
    """Whether an index is itself read from a tensor."""
    return any(isinstance(p, Read) for p in walk(index))


def filling_of(scalar: Read, array: Array, frame: Frame) -> Array:
    if scalar.fill is None:
        return np.zeros((), dtype=array.dtype)
    value, kind = value_of(scalar.fill, frame)
    return converted(value, kind, frame.dtypes[scalar.tensor])


def outside(scalar: Read, place: int, at: Array, within: Array, size: int, frame: Frame) -> LaunchError:
    """A gather's index outside its axis, with the first position where it is."""
    full = np.broadcast_to(within, frame.shape) if within.ndim else within.reshape([1] * len(frame.ranges))
    cell = tuple(int(c) for c in np.argwhere(~full)[0])
    value = int(np.broadcast_to(at, full.shape)[cell])
    where = {n: cell[frame.leading + i] + frame.ranges[frame.leading + i].start for i, n in enumerate(frame.names)}
    index = format_scalar(scalar.indices[place])
    used = {p.name for p in walk(scalar.indices[place]) if isinstance(p, Index)}
    ahead = [f"axis {i} = {cell[i] + frame.ranges[i].start}" for i in range(frame.leading)]
    position = ", ".join([*ahead, *(f"{n} = {p}" for n, p in where.items() if n in used)])
    filled = f"read {format_scalar(scalar)[:-1]}; 0] to take 0 there"
    return LaunchError(
        f"{index} is {value}{f' at {position}' if position else ''}: outside axis {place} of {scalar.tensor}, which has {size}",
        hints=[
            f"pass indices from 0 to {size - 1}, or {filled}"
            if size
            else f"pass a {scalar.tensor} that is not empty, or {filled}"
        ],
    )
