"""Sizes that a kernel takes at run time: extents of indices, leading axes, axes of tensors; which of them are one by rule.

size_value(Extent(0, "i"), sizes) == 5        # what the host packs into the uniform
space.root(AxisSize("x", -1)) == Extent(0, "j")    # x[i, j] is as long as j
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias, assert_never

from shaderdsl.errors import InternalError
from shaderdsl.spec.axes import indices_of, named_axis, natural_axes, reads_of
from shaderdsl.spec.notation import Dtype, OpSpec, Size, Stage
from shaderdsl.spec.shapes import Sizes


@dataclass(frozen=True, slots=True)
class Extent:
    """The extent of an index of stage `stage`."""

    stage: int
    index: str


@dataclass(frozen=True, slots=True)
class Lead:
    """A leading axis of stage `stage`, counted from its first."""

    stage: int
    position: int


@dataclass(frozen=True, slots=True)
class AxisSize:
    """An axis of an input or a stage, counted from its last, -1."""

    tensor: str
    position: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """A size that is known when the kernel is made."""

    value: int


Quantity: TypeAlias = Extent | Lead | AxisSize | Fixed


@dataclass(frozen=True, slots=True)
class Tensor:
    """An array that kernels bind: an input, a stage's target, or a part of a stage that is too wide for one kernel."""

    name: str
    dtype: Dtype
    axes: tuple[Quantity, ...]


def size_value(quantity: Quantity, sizes: Sizes) -> int:
    """The number that a launch passes."""
    match quantity:
        case Extent(stage, index):
            return sizes.stages[stage].extents[index]
        case Lead(stage, position):
            return sizes.stages[stage].leading[position]
        case AxisSize(tensor, position):
            return sizes.shapes[tensor][position]
        case Fixed(value):
            return value
        case _:
            assert_never(quantity)


def root_in(parents: Mapping[Quantity, Quantity], quantity: Quantity) -> Quantity:
    while quantity in parents:
        quantity = parents[quantity]
    return quantity


class AnySpace(Protocol):
    """The indices of what a kernel computes, with their sizes, and its tensors."""

    @property
    def spec(self) -> OpSpec: ...
    @property
    def number(self) -> int: ...
    @property
    def lead(self) -> int: ...
    @property
    def tensors(self) -> Mapping[str, Tensor]: ...
    @property
    def dtypes(self) -> Mapping[str, Dtype]: ...
    def root(self, quantity: Quantity) -> Quantity: ...
    def index_along(self, root: Quantity) -> str | None: ...
    def extent(self, index: str) -> Quantity: ...
    def size_named(self, name: str) -> Quantity: ...
    def leads(self) -> list[Quantity]: ...


@dataclass(frozen=True, slots=True)
class Space:
    """The index space of one stage: its leading axes, its tensors, and `parents`, which tie sizes that are one by rule."""

    spec: OpSpec
    number: int
    lead: int
    tensors: Mapping[str, Tensor]
    dtypes: Mapping[str, Dtype]
    parents: Mapping[Quantity, Quantity]

    @property
    def stage(self) -> Stage:
        return self.spec.stages[self.number]

    def root(self, quantity: Quantity) -> Quantity:
        """The one that stands for all sizes equal to it."""
        return root_in(self.parents, quantity)

    def index_along(self, root: Quantity) -> str | None:
        """The stage's first index of that extent."""
        return next((n for n in indices_of(self.stage) if self.extent(n) == root), None)

    def extent(self, index: str) -> Quantity:
        return self.root(Extent(self.number, index))

    def size_named(self, name: str) -> Quantity:
        """What `size(name)` means in this stage."""
        if name in indices_of(self.stage):
            return self.extent(name)
        return self.root(outer_axis(self.spec, self.number, name))

    def leads(self) -> list[Quantity]:
        return [self.root(Lead(self.number, p)) for p in range(self.lead)]


def outer_axis(spec: OpSpec, number: int, name: str) -> Quantity:
    axis = named_axis(spec.inputs, spec.stages[:number], name)
    if axis is None:
        raise InternalError(f"no axis of {spec.name} is named {name}")
    return AxisSize(axis.tensor, axis.position)


def space_of(
    spec: OpSpec, number: int, tensors: Mapping[str, Tensor], dtypes: Mapping[str, Dtype], ties: Ties
) -> Space:
    """The index space of a stage whose reads are of known rank; what must agree is tied, once for the whole spec."""
    stage = spec.stages[number]
    lead = tie_leads(stage, number, tensors, ties)
    for name, extent in indices_of(stage).items():
        if extent is None:
            for axis in natural_axes(stage, name):
                ties.tie(Extent(number, name), AxisSize(axis.tensor, axis.position))
        elif isinstance(extent, Size):
            tie_written(spec, number, name, extent.name, ties)
    return Space(spec, number, lead, tensors, dtypes, ties.parents)


def tie_leads(stage: Stage, number: int, tensors: Mapping[str, Tensor], ties: Ties) -> int:
    """The number of leading axes. Where those of all tensors are one size they are the stage's; else some may be 1."""
    counts = {r.tensor: len(tensors[r.tensor].axes) - len(r.indices) for r in reads_of(stage) if r.leading}
    lead = max(counts.values(), default=0)
    for position in range(lead):
        axes = [tensors[n].axes[position - lead + count] for n, count in counts.items() if position - lead + count >= 0]
        if len({root_in(ties.parents, a) for a in axes}) == 1:
            ties.tie(Lead(number, position), axes[0])
    return lead


def tie_written(spec: OpSpec, number: int, name: str, other: str, ties: Ties) -> None:
    """`k < size(j)`: as long as another index of the stage, if that one's extent is not written itself; else as an axis."""
    own = indices_of(spec.stages[number])
    if other == name or other not in own:
        ties.tie(Extent(number, name), outer_axis(spec, number, other))
    elif own[other] is None:
        ties.tie(Extent(number, name), Extent(number, other))


@dataclass(frozen=True, slots=True)
class Ties:
    """Sets of equal sizes, as a forest."""

    parents: dict[Quantity, Quantity]

    def define(self, tensor: Tensor) -> None:
        """The axes of a stage's target are as long as the stage's indices."""
        for position, axis in enumerate(tensor.axes):
            self.tie(axis, AxisSize(tensor.name, position - len(tensor.axes)))

    def tie(self, first: Quantity, second: Quantity) -> None:
        a, b = root_in(self.parents, first), root_in(self.parents, second)
        if a != b:
            self.parents[b] = a
