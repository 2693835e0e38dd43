"""What a spec means: numpy in float64, stage by stage, in bounded memory.

evaluate(softmax, {"x": x})["y"]        # float64; whole stages are int64 that wrap at 32 bits
evaluate(spec, arguments, np.complex128)     # carries a complex step

Sums of products of plain reads go through einsum, scans through a loop, all else through blocks of the index space.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, assert_never

import numpy as np

from shaderdsl.errors import LaunchError
from shaderdsl.spec.dtypes import Kind, stage_dtypes
from shaderdsl.spec.grid import Array, Frame, blocks, converted, value_of, wrapped
from shaderdsl.spec.meanings import greatest, least
from shaderdsl.spec.notation import (
    Dtype,
    Index,
    Input,
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
    Stage,
)
from shaderdsl.spec.shapes import StageSizes, bind_sizes

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


MOST = 2**32 - 2**17
"""Elements of a stage, as devices count them."""


def evaluate(spec: OpSpec, arguments: Mapping[str, Any], dtype: Any = np.float64) -> dict[str, Array]:
    """Every stage by name. arguments: arrays and numbers by the names of the inputs; a LaunchError names what does not fit."""
    for name in arguments:
        if name not in [i.name for i in spec.inputs]:
            known = ", ".join(i.name for i in spec.inputs)
            raise LaunchError(f"{spec.name} has no input {name}", hints=[f"its inputs are {known or 'none'}"])
    given = {i.name: given_array(i, arguments, dtype) for i in spec.inputs}
    scalars = [i for i in spec.inputs if isinstance(i, ScalarInput)]
    whole = {i.name: int(given[i.name]) for i in scalars if i.dtype is not Dtype.F32}
    shapes = {i.name: given[i.name].shape for i in spec.inputs if i not in scalars}
    sizes = bind_sizes(spec, shapes, whole)
    dtypes = stage_dtypes(spec)
    values = dict(given)
    with np.errstate(all="ignore"):
        for number in range(len(spec.stages)):
            values |= evaluate_stage(spec, number, sizes.stages[number], values, dtypes, dtype)
    return {n: v for n, v in values.items() if n not in given}


def given_array(given: Input, arguments: Mapping[str, Any], dtype: Any) -> Array:
    """An argument in the reference's width."""
    if given.name not in arguments:
        raise LaunchError(f"{given.name} is missing", hints=[f"pass {given.name}=..."])
    array = np.asarray(arguments[given.name])
    if isinstance(given, ScalarInput) and array.ndim:
        raise LaunchError(f"{given.name} is a number, not an array of shape {array.shape}", hints=["pass a number"])
    if array.dtype.kind not in ("biufc" if np.dtype(dtype).kind == "c" else "biuf"):
        real = "real " * (array.dtype.kind == "c")
        raise LaunchError(f"{given.name} holds no {real}numbers", hints=["pass an array of numbers"])
    if given.dtype is Dtype.F32:
        return array.astype(dtype)
    if given.dtype is Dtype.BOOL:
        return array.astype(np.bool_)
    if array.dtype.kind not in "biu":
        raise LaunchError(f"{given.name} holds whole numbers, not {array.dtype}", hints=["pass an integer array"])
    return whole_array(given, array)


def whole_array(given: Input, array: Array) -> Array:
    """Whole numbers as int64; what 32 bits do not hold is refused, as devices do."""
    limits = np.iinfo(np.int32 if given.dtype is Dtype.I32 else np.uint32)
    lost = (array < limits.min) | (array > limits.max)
    if lost.any():
        raise LaunchError(
            f"{given.name} holds {array[lost].reshape(-1)[0]}, which {limits.dtype} does not hold",
            hints=["give smaller numbers"],
        )
    return array.astype(np.int64)


def evaluate_stage(
    spec: OpSpec,
    number: int,
    sizes: StageSizes,
    values: Mapping[str, Array],
    dtypes: Mapping[str, Dtype],
    dtype: Any,
) -> dict[str, Array]:
    """The arrays of a stage's targets."""
    stage = spec.stages[number]
    names = tuple(sizes.extents)
    shape = (*sizes.leading, *sizes.extents.values())
    if math.prod(shape) > MOST:
        raise LaunchError(
            f"{stage.targets[0].name} has {math.prod(shape)} elements, more than a u32 counts",
            hints=["split the arrays"],
        )
    whole = Frame(spec, number, sizes, values, dtypes, names, tuple(range(n) for n in shape), {})
    out = shape[: len(sizes.leading) + len(stage.targets[0].bounds)]
    results = {t.name: np.zeros(out, dtype=storage(dtypes[t.name], dtype)) for t in stage.targets}
    match stage.how:
        case None:
            fill_map(stage, whole, results)
        case Reduction(kind, _):
            results[stage.targets[0].name] = reduced(stage, kind, whole, results[stage.targets[0].name])
        case Scan():
            run_scan(stage, stage.how, whole, results)
        case _:
            assert_never(stage.how)
    return results


def storage(kind: Dtype, dtype: Any) -> Any:
    """The array type of a stage."""
    return {Dtype.F32: dtype, Dtype.BOOL: np.bool_}.get(kind, np.int64)


def parts_of(frame: Frame) -> Iterator[Frame]:
    """The blocks of a stage's index space."""
    for ranges in blocks(frame.shape):
        yield at(frame, ranges, frame.carried)


def at(frame: Frame, ranges: tuple[range, ...], carried: Mapping[str, Array]) -> Frame:
    return Frame(frame.spec, frame.number, frame.sizes, frame.values, frame.dtypes, frame.names, ranges, carried)


def cut_of(ranges: tuple[range, ...]) -> tuple[slice, ...]:
    return tuple(slice(r.start, r.stop) for r in ranges)


def fill_map(stage: Stage, whole: Frame, results: Mapping[str, Array]) -> None:
    """A map, block by block."""
    name = stage.targets[0].name
    for frame in parts_of(whole):
        value, kind = value_of(stage.values[0], frame)
        results[name][cut_of(frame.ranges)] = converted(value, kind, whole.dtypes[name])


def reduced(stage: Stage, kind: ReductionKind, whole: Frame, into: Array) -> Array:
    """A reduction over the last indices."""
    name, count = stage.targets[0].name, int(np.prod(whole.shape[into.ndim :], dtype=np.int64))
    to = whole.dtypes[name]
    if kind in (ReductionKind.SUM, ReductionKind.MEAN):
        total = contracted(stage.values[0], whole, into)
        if total is None:
            total = folded(stage.values[0], ReductionKind.SUM, whole, into, to)
        return total / count if kind is ReductionKind.MEAN else wrapped(total, to) if to is not Dtype.F32 else total
    if kind in (ReductionKind.MAX, ReductionKind.MIN) and count == 0 and into.size:
        raise LaunchError(f"{name} is the {kind.value} of nothing", hints=["pass axes that are not empty"])
    return folded(stage.values[0], kind, whole, into, to)


def folded(value: Scalar, kind: ReductionKind, whole: Frame, into: Array, to: Kind) -> Array:
    """Blocks reduced and combined."""
    result = np.full(into.shape, identity_of(kind, into.dtype), dtype=into.dtype)
    over = tuple(range(into.ndim, len(whole.ranges)))
    for frame in parts_of(whole):
        found, own = value_of(value, frame)
        block = np.broadcast_to(converted(found, own, to), frame.shape).astype(into.dtype)
        cut = cut_of(frame.ranges[: into.ndim])
        result[cut] = combine(kind, result[cut], collapse(kind, block, over), to)
    return result


def identity_of(kind: ReductionKind, dtype: Any) -> Any:
    """What changes nothing under a reduction."""
    if kind in (ReductionKind.SUM, ReductionKind.MEAN):
        return 0
    if kind is ReductionKind.PROD:
        return 1
    if np.dtype(dtype).kind == "i":
        return np.iinfo(np.int64).min if kind is ReductionKind.MAX else np.iinfo(np.int64).max
    return -np.inf if kind is ReductionKind.MAX else np.inf


def collapse(kind: ReductionKind, block: Array, over: tuple[int, ...]) -> Array:
    """A block reduced over its last axes; complex numbers are ordered by their real part."""
    if not over:
        return block
    flat = block.reshape((*block.shape[: over[0]], -1))
    match kind:
        case ReductionKind.SUM | ReductionKind.MEAN:
            return np.asarray(flat.sum(axis=-1))
        case ReductionKind.PROD:
            return np.asarray(flat.prod(axis=-1))
        case ReductionKind.MAX | ReductionKind.MIN:
            order = np.real(flat)
            best = np.argmax(order, axis=-1) if kind is ReductionKind.MAX else np.argmin(order, axis=-1)
            return np.take_along_axis(flat, best[..., None], axis=-1)[..., 0]
        case _:
            assert_never(kind)


def combine(kind: ReductionKind, left: Array, right: Array, to: Kind) -> Array:
    match kind:
        case ReductionKind.SUM | ReductionKind.MEAN:
            return left + right
        case ReductionKind.PROD:
            return wrapped(left * right, to) if to is not Dtype.F32 else left * right
        case ReductionKind.MAX:
            return greatest(left, right)
        case ReductionKind.MIN:
            return least(left, right)
        case _:
            assert_never(kind)


def run_scan(stage: Stage, how: Scan, whole: Frame, results: Mapping[str, Array]) -> None:
    """A scan, step by step; what is carried starts at zero or at `start`."""
    place = whole.leading + whole.names.index(how.index)
    steps = list(whole.ranges[place])
    shape = tuple(1 if i == place else n for i, n in enumerate(whole.shape))
    carried: dict[str, Array] = {n: np.zeros(shape, dtype=a.dtype) for n, a in results.items()}
    if how.starts is not None and steps:
        first = at(whole, one(whole.ranges, place, 0), {})
        for name, start in zip(results, how.starts):
            carried[name] = settled(value_of(start, first), name, whole, results, shape)
    for step in reversed(steps) if how.backwards else steps:
        frame = at(whole, one(whole.ranges, place, step), carried)
        found = [value_of(v, frame) for v in stage.values]
        carried = {n: settled(f, n, whole, results, shape) for n, f in zip(results, found)}
        for name, array in results.items():
            array[cut_of(frame.ranges)] = carried[name]


def settled(
    found: tuple[Array, Kind], name: str, whole: Frame, results: Mapping[str, Array], shape: tuple[int, ...]
) -> Array:
    """A value in the type and shape of what is carried."""
    array = converted(*found, whole.dtypes[name]).astype(results[name].dtype)
    return np.broadcast_to(array, shape)


def one(ranges: tuple[range, ...], place: int, step: int) -> tuple[range, ...]:
    return (*ranges[:place], range(step, step + 1), *ranges[place + 1 :])


def contracted(value: Scalar, whole: Frame, into: Array) -> Array | None:
    """A sum of products of plain reads through einsum, or None where it is no such sum."""
    names = dict(zip(whole.names, LETTERS))
    operands: list[Array] = []
    texts: list[str] = []
    scale: Array = np.asarray(1 if into.dtype.kind == "i" else 1.0, dtype=into.dtype)
    covered: set[str] = set()
    for factor in factors_of(value):
        if isinstance(factor, Number | Parameter):
            scale = scale * converted(*value_of(factor, whole), Dtype.F32 if into.dtype.kind in "fc" else None)
            continue
        text = subscripts(factor, names, whole)
        if text is None or not isinstance(factor, Read):
            return None
        operands.append(whole.values[factor.tensor].astype(into.dtype))
        texts.append(text)
        covered |= set(text)
    if not operands or not set(names.values()) <= covered or len(whole.names) > len(LETTERS):
        return None
    left = ("..." if whole.leading else "") + "".join(names[n] for n in whole.names[: into.ndim - whole.leading])
    return np.asarray(np.einsum(f"{','.join(texts)}->{left}", *operands, optimize=len(operands) > 1)) * scale


def factors_of(value: Scalar) -> list[Scalar]:
    """The factors of a product, in order."""
    if isinstance(value, Operation) and value.operator is Operator.MUL:
        return [*factors_of(value.arguments[0]), *factors_of(value.arguments[1])]
    return [value]


def subscripts(factor: Scalar, names: Mapping[str, str], whole: Frame) -> str | None:
    """einsum's letters of a plain read of whole axes, else None."""
    if not isinstance(factor, Read) or whole.dtypes[factor.tensor] is Dtype.BOOL:
        return None
    shape = whole.values[factor.tensor].shape
    text = "..." if factor.leading else ""
    for place, index in enumerate(factor.indices):
        size = shape[place - len(factor.indices)]
        if not isinstance(index, Index) or whole.sizes.extents[index.name] != size:
            return None
        text += names[index.name]
    return text
