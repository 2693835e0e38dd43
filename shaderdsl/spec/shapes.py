"""Sizes: what the shapes of the arguments make of a spec's axes, and of the extent of every index.

sizes = bind_sizes(spec, {"x": (3, 5), "w": (5, 7)}, {"n": 4})
shape_of(spec, "y", sizes) == (3, 7);  sizes.stages[0].extents == {"i": 3, "k": 7, "j": 5}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from shaderdsl.errors import InternalError, LaunchError
from shaderdsl.spec.axes import indices_of, named_axis, natural_axes, reads_of
from shaderdsl.spec.equal_axes import named_alike
from shaderdsl.spec.notation import (
    Function,
    Number,
    Operation,
    Operator,
    OpSpec,
    Parameter,
    Read,
    Scalar,
    Size,
    Stage,
    TensorInput,
)

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StageSizes:
    """The leading axes of a stage and the extent of each of its indices, those reduced over last."""

    leading: Shape
    extents: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sizes:
    """shapes: of every input and stage by name. stages: in the order of the spec. parameters: the whole ones."""

    shapes: Mapping[str, Shape]
    stages: tuple[StageSizes, ...]
    parameters: Mapping[str, int]


def bind_sizes(spec: OpSpec, shapes: Mapping[str, Shape], parameters: Mapping[str, int]) -> Sizes:
    """The sizes of a spec for arguments of these shapes; a LaunchError names the axis and the arguments that disagree."""
    known: dict[str, Shape] = {}
    for given in spec.inputs:
        if isinstance(given, TensorInput):
            known[given.name] = checked_shape(given, shapes)
    check_named_axes(spec, known)
    stages: list[StageSizes] = []
    for number, stage in enumerate(spec.stages):
        sizes = Frame(spec, number, known, parameters).sizes()
        stages.append(sizes)
        for target in stage.targets:
            known[target.name] = (*sizes.leading, *(sizes.extents[b.name] for b in target.bounds))
    return Sizes(known, tuple(stages), dict(parameters))


def check_named_axes(spec: OpSpec, shapes: Mapping[str, Shape]) -> None:
    """Axes of one name are equally long, also where no index stands in both."""
    for name, first, other in named_alike(spec.inputs):
        known, size = shapes[first.tensor][first.position], shapes[other.tensor][other.position]
        if known != size:
            raise LaunchError(
                f"axis {name} is {known} in {first.tensor} and {size} in {other.tensor}",
                hints=["pass arrays whose sizes agree"],
            )


def shape_of(spec: OpSpec, name: str, sizes: Sizes) -> Shape:
    """The shape of an input or a stage."""
    if name not in sizes.shapes:
        raise InternalError(f"{spec.name} has no tensor {name}")
    return sizes.shapes[name]


def checked_shape(given: TensorInput, shapes: Mapping[str, Shape]) -> Shape:
    """The shape of an argument, with as many axes as the formula reads."""
    if given.name not in shapes:
        raise LaunchError(f"{given.name} is missing", hints=[f"pass {given.name}=..."])
    shape = tuple(shapes[given.name])
    rank = len(given.axes)
    if len(shape) < rank or (len(shape) > rank and not given.leading):
        least = "at least " if given.leading else ""
        plural = "axis" if rank == 1 else "axes"
        raise LaunchError(
            f"{given.name} has {least}{rank} {plural}, not the {len(shape)} of shape {shape}",
            hints=[f"its axes are {', '.join(a or '_' for a in given.axes) or 'none'}"],
        )
    return shape


def size_of(spec: OpSpec, number: int, name: str, extents: Mapping[str, int], shapes: Mapping[str, Shape]) -> int:
    """`size(name)` in stage `number`: of its own index, else of the first axis of that name."""
    if name in extents:
        return extents[name]
    axis = named_axis(spec.inputs, spec.stages[:number], name)
    if axis is None:
        raise InternalError(f"no axis of {spec.name} is named {name}")
    return shapes[axis.tensor][axis.position]


@dataclass(slots=True)
class Frame:
    """One stage while its extents are found: an extent may name the size of another index."""

    spec: OpSpec
    number: int
    shapes: Mapping[str, Shape]
    parameters: Mapping[str, int]
    found: dict[str, int] = field(default_factory=dict[str, int])
    busy: list[str] = field(default_factory=list[str])

    @property
    def stage(self) -> Stage:
        return self.spec.stages[self.number]

    def sizes(self) -> StageSizes:
        self.check_ranks()
        leading = self.leading()
        return StageSizes(leading, {name: self.extent(name) for name in indices_of(self.stage)})

    def check_ranks(self) -> None:
        """Reads have as many indices as what they read has axes, leading ones aside."""
        for read in reads_of(self.stage):
            rank, count = len(self.shapes[read.tensor]), len(read.indices)
            if rank < count or (rank > count and not read.leading):
                raise LaunchError(
                    f"{read.tensor} has {rank} axes, and {self.stage.targets[0].name} reads it with {count} indices",
                    hints=[f"pass {read.tensor} with {count} axes"],
                )

    def leading(self) -> Shape:
        """The leading axes of all that is read with `...`, broadcast as numpy does."""
        parts = {
            r.tensor: self.shapes[r.tensor][: len(self.shapes[r.tensor]) - len(r.indices)]
            for r in reads_of(self.stage)
            if r.leading
        }
        try:
            return tuple(np.broadcast_shapes(*parts.values()))
        except ValueError:
            listed = ", ".join(f"{n} {s}" for n, s in parts.items())
            raise LaunchError(
                f"the leading axes of {self.stage.targets[0].name} do not broadcast: {listed}",
                hints=["leading axes are equal or 1, counted from the last"],
            ) from None

    def extent(self, name: str) -> int:
        """The extent of an index, once."""
        if name not in self.found:
            self.busy.append(name)
            written = indices_of(self.stage)[name]
            self.found[name] = self.inferred(name) if written is None else self.value(written)
            self.busy.pop()
            if self.found[name] < 0:
                raise LaunchError(
                    f"{name} of {self.stage.targets[0].name} would have the extent {self.found[name]}",
                    hints=["an extent is zero or more"],
                )
        return self.found[name]

    def inferred(self, name: str) -> int:
        """The size of the axes where the index stands, which agree."""
        axes = natural_axes(self.stage, name)
        if not axes:
            raise InternalError(f"{name} of {self.spec.name} has no extent")
        sizes = [self.shapes[a.tensor][a.position] for a in axes]
        for axis, size in zip(axes, sizes):
            if size != sizes[0]:
                raise LaunchError(
                    f"axis {name} is {sizes[0]} in {axes[0].tensor} and {size} in {axis.tensor}",
                    hints=["pass arrays whose sizes agree, or write the extent of the index"],
                )
        return sizes[0]

    def value(self, scalar: Scalar) -> int:
        """A whole number of sizes, constants and parameters."""
        match scalar:
            case Number(value):
                return int(value)
            case Parameter(name):
                return int(self.parameters[name])
            case Size(name):
                return self.size(name)
            case Operation(operator, arguments):
                return whole(operator, [self.value(a) for a in arguments])
            case Function("max" | "min" as name, arguments):
                return (max if name == "max" else min)(self.value(a) for a in arguments)
            case _:
                raise InternalError(f"{scalar} in an extent")

    def size(self, name: str) -> int:
        """Of another index of the stage, else of a named axis."""
        if name in indices_of(self.stage) and name not in self.busy:
            return self.extent(name)
        return size_of(self.spec, self.number, name, {}, self.shapes)


def whole(operator: Operator, values: list[int]) -> int:
    """An operation on whole numbers; division floors."""
    match operator, values:
        case Operator.ADD, [a, b]:
            return a + b
        case Operator.SUB, [a, b]:
            return a - b
        case Operator.MUL, [a, b]:
            return a * b
        case ((Operator.FLOOR_DIV | Operator.MOD), [a, b]):
            if b == 0:
                raise LaunchError("an extent divides by zero", hints=["pass sizes that are not 0"])
            return a // b if operator is Operator.FLOOR_DIV else a % b
        case Operator.POW, [a, b] if b >= 0:
            return int(a**b)
        case Operator.NEG, [a]:
            return -a
        case _:
            raise InternalError(f"{operator.value} in an extent")


def reads_leading(read: Read, shapes: Mapping[str, Shape]) -> int:
    """How many leading axes a read has."""
    return len(shapes[read.tensor]) - len(read.indices)
