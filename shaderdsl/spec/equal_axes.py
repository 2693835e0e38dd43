"""Axes that are equally long by rule, and one name for all of them.

    given a[n], b[n]          axes of one name are equal
    y[i] = a[i] + c[i]        so are axes where one index stands alone

Axes count from the last, -1, so that leading axes do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from shaderdsl.spec.axes import Axis, indices_of, reads_of, written
from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import Bound, Index, Input, OpSpec, Reduction, Scalar, Size, Stage, TensorInput
from shaderdsl.spec.rewrite import mapped, sizes, with_scalars

Classes = dict[Axis, Axis]
"""A forest: each axis points towards the one that stands for its class."""


def axes_of(given: TensorInput) -> list[Axis]:
    """The axes of an input after its leading ones."""
    return [Axis(given.name, p - len(given.axes)) for p in range(len(given.axes))]


def named_alike(inputs: Sequence[Input]) -> Iterator[tuple[str, Axis, Axis]]:
    """Pairs of axes of one name: the first, and each further one."""
    first: dict[str, Axis] = {}
    for given in inputs:
        if not isinstance(given, TensorInput):
            continue
        for name, axis in zip(given.axes, axes_of(given)):
            if name is not None and first.setdefault(name, axis) != axis:
                yield name, first[name], axis


def equal_axes(inputs: Sequence[Input], stages: Sequence[Stage]) -> Classes:
    """The classes of all axes of a spec."""
    classes: Classes = {}
    for _, first, other in named_alike(inputs):
        join(classes, [first, other])
    for stage in stages:
        for name, extent in indices_of(stage).items():
            if extent is None:
                join(classes, [*targets_at(stage, name), *read_alone(stage, name)])
    return classes


def join(classes: Classes, axes: Sequence[Axis]) -> None:
    """Make axes one class."""
    for axis in axes[1:]:
        one, other = root(classes, axes[0]), root(classes, axis)
        if one != other:
            classes[other] = one


def root(classes: Mapping[Axis, Axis], axis: Axis) -> Axis:
    while axis in classes:
        axis = classes[axis]
    return axis


def targets_at(stage: Stage, name: str) -> list[Axis]:
    """Where an index stands on the left."""
    return [Axis(t.name, p - len(t.bounds)) for t in stage.targets for p, b in enumerate(t.bounds) if b.name == name]


def read_alone(stage: Stage, name: str) -> list[Axis]:
    """The axes of the tensors that a stage reads where an index stands alone."""
    return [
        Axis(r.tensor, p - len(r.indices)) for r in reads_of(stage) for p, i in enumerate(r.indices) if i == Index(name)
    ]


def with_axis_names(spec: OpSpec) -> OpSpec:
    """`spec` with a name for every axis of its inputs: one for axes that are equal by rule, different ones for others."""
    classes = equal_axes(spec.inputs, spec.stages)
    taken = {b.name for s in spec.stages for t in s.targets for b in t.bounds}
    named: dict[Axis, str] = {}
    moved: dict[str, str] = {}
    for given in (i for i in spec.inputs if isinstance(i, TensorInput)):
        for position, (name, axis) in enumerate(zip(given.axes, axes_of(given))):
            key = root(classes, axis)
            if key not in named:
                free = name is not None and name not in named.values() and not captured(spec, classes, key, name)
                named[key] = name if free and name is not None else unused(f"{given.name}_{position}", taken)
            if name is not None:
                moved.setdefault(name, named[key])
    inputs = tuple(
        replace(i, axes=tuple(named[root(classes, a)] for a in axes_of(i))) if isinstance(i, TensorInput) else i
        for i in spec.inputs
    )
    moved = {old: new for old, new in moved.items() if old != new}
    stages = tuple(with_sizes(s, moved) for s in spec.stages) if moved else spec.stages
    return replace(spec, inputs=inputs, stages=stages)


def captured(spec: OpSpec, classes: Classes, key: Axis, name: str) -> bool:
    """Whether `size(m)` of another name m in a class could not be written `size(name)`: where `name` is an index."""
    others = {
        n
        for i in spec.inputs
        if isinstance(i, TensorInput)
        for n, axis in zip(i.axes, axes_of(i))
        if n is not None and n != name and root(classes, axis) == key
    }
    return any(outer_sizes(s) & others and name in indices_of(s) for s in spec.stages)


def outer_sizes(stage: Stage) -> set[str]:
    """The names whose `size` is of an axis and of no index of the stage."""
    own = indices_of(stage)
    found = {n for s in written(stage) for n in sizes(s) if n not in own}
    return found | {n for n, extent in own.items() if extent is not None and n in sizes(extent)}


def with_sizes(stage: Stage, moved: Mapping[str, str]) -> Stage:
    """A stage with other names for the axes that it takes the size of."""
    own = indices_of(stage)

    def outer(scalar: Scalar) -> Scalar | None:
        outside = isinstance(scalar, Size) and scalar.name in moved and scalar.name not in own
        return Size(moved[scalar.name]) if isinstance(scalar, Size) and outside else None

    def moving(bound: Bound) -> Bound:
        """Its own name in an extent is the axis, since the index is not there yet."""
        if bound.extent is None:
            return bound
        extent = mapped(bound.extent, outer)
        if bound.name in moved:
            extent = mapped(extent, lambda s: Size(moved[bound.name]) if s == Size(bound.name) else None)
        return replace(bound, extent=extent)

    how = stage.how
    if isinstance(how, Reduction):
        how = replace(how, over=tuple(map(moving, how.over)))
    targets = tuple(replace(t, bounds=tuple(map(moving, t.bounds))) for t in stage.targets)
    return with_scalars(replace(stage, targets=targets, how=how), lambda scalar: mapped(scalar, outer))
