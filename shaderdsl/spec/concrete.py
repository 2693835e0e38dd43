"""A spec with its sizes in it: every extent a number, no `...`, no `size(..)`, and axes of size 1 that broadcast read at 0.

concrete(softmax, {"x": (3, 5)}, {}).spec      # m[i < 3] = max(j < 5) x[i, j] ...

What a number says is in the formula, so that the stages of many ops can stand in one spec and be compared, moved and merged by their text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from shaderdsl.errors import InternalError
from shaderdsl.spec.axes import extents_of, indices_of, walk
from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import (
    Bound,
    Index,
    Number,
    OpSpec,
    Parameter,
    Read,
    Reduction,
    Scalar,
    ScalarInput,
    Size,
    Stage,
    TensorInput,
)
from shaderdsl.spec.rewrite import mapped, rebuilt, with_scalars
from shaderdsl.spec.shapes import Shape, Sizes, StageSizes, bind_sizes, size_of


@dataclass(frozen=True, slots=True)
class Concrete:
    """A spec whose sizes are numbers, and the shape of every input and stage."""

    spec: OpSpec
    shapes: Mapping[str, Shape]


def sizing(spec: OpSpec) -> frozenset[str]:
    """The parameters that extents are made of: they must be known before sizes are."""
    return frozenset(
        p.name for stage in spec.stages for e in extents_of(stage) for p in walk(e) if isinstance(p, Parameter)
    )


def concrete(spec: OpSpec, shapes: Mapping[str, Shape], parameters: Mapping[str, int]) -> Concrete:
    """The spec for arguments of these shapes. parameters: the whole numbers that extents are made of, which become constants."""
    sizes = bind_sizes(spec, shapes, parameters)
    fixed = {n: parameters[n] for n in sizing(spec)}
    stages = tuple(fixed_stage(spec, number, sizes, fixed) for number in range(len(spec.stages)))
    inputs = tuple(
        replace(i, axes=tuple(f"{i.name}_{p}" for p in range(len(sizes.shapes[i.name]))), leading=False)
        if isinstance(i, TensorInput)
        else i
        for i in spec.inputs
        if isinstance(i, TensorInput) or i.name not in fixed
    )
    return Concrete(replace(spec, inputs=inputs, stages=stages, saved=()), sizes.shapes)


def fixed_stage(spec: OpSpec, number: int, sizes: Sizes, parameters: Mapping[str, int]) -> Stage:
    """One stage with its extents, its leading axes as indices, and sizes as numbers."""
    stage, own = spec.stages[number], sizes.stages[number]
    leads = lead_names(spec, stage, own)

    def number_for(scalar: Scalar) -> Scalar | None:
        match scalar:
            case Size(name):
                return Number(size_of(spec, number, name, own.extents, sizes.shapes))
            case Parameter(name) if name in parameters:
                return Number(parameters[name])
            case _:
                return None

    def plain(scalar: Scalar) -> Scalar:
        found = number_for(scalar)
        if found is not None:
            return found
        inner = rebuilt(scalar, plain)
        if isinstance(inner, Read) and inner.leading:
            return replace(inner, indices=(*front(inner, own, leads, sizes), *inner.indices), leading=False)
        return inner

    def bound(given: Bound) -> Bound:
        return Bound(given.name, Number(own.extents[given.name]))

    ahead = tuple(Bound(n, Number(e)) for n, e in zip(leads, own.leading))
    targets = tuple(replace(t, bounds=(*ahead, *map(bound, t.bounds)), leading=False) for t in stage.targets)
    how = stage.how
    if isinstance(how, Reduction):
        how = replace(how, over=tuple(map(bound, how.over)))
    return with_scalars(replace(stage, targets=targets, how=how), plain)


def lead_names(spec: OpSpec, stage: Stage, own: StageSizes) -> list[str]:
    """Names for the leading axes of a stage that nothing in it has."""
    taken = {*indices_of(stage), *(i.name for i in spec.inputs if isinstance(i, ScalarInput))}
    taken |= {i.name for i in spec.inputs} | {t.name for s in spec.stages for t in s.targets}
    return [unused("b", taken) for _ in own.leading]


def front(read: Read, own: StageSizes, leads: list[str], sizes: Sizes) -> tuple[Scalar, ...]:
    """The leading indices of a read, counted from the last; an axis of size 1 is read at 0."""
    shape = sizes.shapes[read.tensor]
    count = len(shape) - len(read.indices)
    places = range(len(leads) - count, len(leads))
    return tuple(Index(leads[p]) if shape[a] == own.leading[p] else Number(0) for a, p in enumerate(places))


def extents(stage: Stage) -> dict[str, int]:
    """The extent of every index of a concrete stage, those reduced over last."""
    return {name: extent_number(extent) for name, extent in indices_of(stage).items()}


def extent_number(extent: Scalar | None) -> int:
    if not isinstance(extent, Number) or not isinstance(extent.value, int):
        raise InternalError(f"an extent is {extent}, not a number")
    return extent.value


def with_parameters(stage: Stage, values: Mapping[str, Scalar]) -> Stage:
    """A stage with expressions for its parameters."""

    def leaf(scalar: Scalar) -> Scalar | None:
        return values.get(scalar.name) if isinstance(scalar, Parameter) else None

    return with_scalars(stage, lambda scalar: mapped(scalar, leaf))
