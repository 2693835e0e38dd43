"""Which axis gives an index its extent, and which axis a name means.

natural_axes(stage, "i")          # (Axis("x", -2), Axis("z", -1)): where i stands alone, else the first where it leads

Axes count from the last, -1, so that leading axes do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shaderdsl.spec.notation import (
    Index,
    Input,
    Operation,
    Operator,
    Read,
    Reduction,
    Scalar,
    Scan,
    Size,
    Stage,
    TensorInput,
    operands,
)


class Axis(NamedTuple):
    """An axis of a tensor, counted from its last."""

    tensor: str
    position: int


def walk(scalar: Scalar) -> Iterator[Scalar]:
    """An expression and all under it, in the order of the text."""
    stack = [scalar]
    while stack:
        last = stack.pop()
        yield last
        stack += reversed(operands(last))


def written(stage: Stage) -> Iterator[Scalar]:
    """The extents that a stage writes, its starts and its values: all its expressions."""
    yield from extents_of(stage)
    if isinstance(stage.how, Scan) and stage.how.starts is not None:
        yield from stage.how.starts
    yield from stage.values


def extents_of(stage: Stage) -> Iterator[Scalar]:
    """The extents written on the left and in the reduction."""
    for target in stage.targets:
        yield from (b.extent for b in target.bounds if b.extent is not None)
    if isinstance(stage.how, Reduction):
        yield from (b.extent for b in stage.how.over if b.extent is not None)


def indices_of(stage: Stage) -> dict[str, Scalar | None]:
    """Every index of a stage, those reduced over last, with the extent that is written for it."""
    found = {b.name: b.extent for b in stage.targets[0].bounds}
    if isinstance(stage.how, Reduction):
        found |= {b.name: b.extent for b in stage.how.over}
    return found


def reads_of(stage: Stage) -> Iterator[Read]:
    """The reads of a stage, without those of itself."""
    own = {t.name for t in stage.targets}
    for scalar in written(stage):
        for part in walk(scalar):
            if isinstance(part, Read) and part.tensor not in own:
                yield part


def lead_of(scalar: Scalar) -> str | None:
    """The index that leads a shifted position: t in `t - k`."""
    while isinstance(scalar, Operation) and scalar.operator in (Operator.ADD, Operator.SUB):
        scalar = scalar.arguments[0]
    return scalar.name if isinstance(scalar, Index) else None


def natural_axes(stage: Stage, index: str) -> tuple[Axis, ...]:
    """The axes where an index stands alone, which must agree; else the first where it leads; else none."""
    alone: dict[Axis, None] = {}
    leads: list[Axis] = []
    for read in reads_of(stage):
        for place, scalar in enumerate(read.indices):
            axis = Axis(read.tensor, place - len(read.indices))
            if scalar == Index(index):
                alone[axis] = None
            elif lead_of(scalar) == index:
                leads.append(axis)
    return tuple(alone) or tuple(leads[:1])


def named_axis(inputs: Sequence[Input], stages: Sequence[Stage], name: str) -> Axis | None:
    """The first axis of a name: of an input, else of a stage."""
    for given in inputs:
        if isinstance(given, TensorInput) and name in given.axes:
            return Axis(given.name, given.axes.index(name) - len(given.axes))
    for stage in stages:
        names = [b.name for b in stage.targets[0].bounds]
        if name in names:
            return Axis(stage.targets[0].name, names.index(name) - len(names))
    return None


def axis_names(stages: Sequence[Stage], tensor: str, count: int) -> tuple[str | None, ...]:
    """Names for the last axes of an input: the first index that stands alone there, else that leads, else that occurs."""
    best: list[tuple[int, str | None]] = [(3, None)] * count
    for stage in stages:
        own = indices_of(stage)
        for read in (r for r in reads_of(stage) if r.tensor == tensor):
            for place, scalar in enumerate(read.indices[-count:] if count else ()):
                at = place + count - min(count, len(read.indices))
                best[at] = min(best[at], claim(scalar, own), key=lambda c: c[0])
    return tuple(name for _, name in best)


def claim(scalar: Scalar, own: dict[str, Scalar | None]) -> tuple[int, str | None]:
    """How well an index expression names its axis, 0 the best, and the name."""
    if isinstance(scalar, Index):
        return 0, scalar.name
    lead = lead_of(scalar)
    if lead is not None:
        return 1, lead
    if any(isinstance(p, Read) for p in walk(scalar)):  # what a gather looks up is of another axis
        return 3, None
    occurring = next((p.name for p in walk(scalar) if isinstance(p, Index) and p.name in own), None)
    return (2, occurring) if occurring is not None else (3, None)


def sizes_in(scalars: Iterator[Scalar]) -> Iterator[str]:
    """The names in every `size(name)` of some expressions."""
    for scalar in scalars:
        yield from (p.name for p in walk(scalar) if isinstance(p, Size))
