"""The plain schedule: every live stage is one kernel, correct for all shapes, with nothing of a shape in its text.

plan(parse_spec("softmax", formula), {"x": 2})      # a Step for each stage
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from shaderdsl.ir.kernel import Role
from shaderdsl.lang.trace import Trace, tracing
from shaderdsl.schedule.bodies import write_map, write_reduction, write_scan
from shaderdsl.schedule.gathers import check_step, gathers_of
from shaderdsl.schedule.sizes import AxisSize, Extent, Lead, Quantity, Space, Tensor, Ties, space_of
from shaderdsl.schedule.split import Part, narrowed
from shaderdsl.schedule.step import WIDTH, Nonempty, Step
from shaderdsl.schedule.writer import Writer, identifier
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.equal_axes import named_alike
from shaderdsl.spec.notation import OpSpec, Reduction, ReductionKind, Scan, Stage, TensorInput


def plan(spec: OpSpec, ranks: Mapping[str, int]) -> tuple[Step, ...]:
    """The launches of a spec whose tensor inputs have these numbers of axes, in order."""
    dtypes = stage_dtypes(spec)
    tensors = {
        i.name: Tensor(i.name, i.dtype, axes_of(i.name, ranks[i.name]))
        for i in spec.inputs
        if isinstance(i, TensorInput)
    }
    steps: list[Step] = []
    ties = Ties({})
    for _, first, other in named_alike(spec.inputs):
        ties.tie(AxisSize(*first), AxisSize(*other))
    for number in sorted(live(spec)):
        space = space_of(spec, number, dict(tensors), dtypes, ties)
        parts, narrow = narrowed(space)
        step = stage_step(narrow)
        steps += (*map(part_step, parts), step)
        for made in step.made:
            tensors[made.name] = made
            ties.define(made)
        finished = replace(space, tensors=tensors)
        steps += (check_step(finished, g, n) for n, g in enumerate(gathers_of(spec, number)))
    return tuple(steps)


def axes_of(name: str, rank: int) -> tuple[AxisSize, ...]:
    return tuple(AxisSize(name, p - rank) for p in range(rank))


def live(spec: OpSpec) -> frozenset[int]:
    """The stages that some output needs."""
    wanted = set(spec.outputs)
    found: set[int] = set()
    for number, stage in reversed(list(enumerate(spec.stages))):
        if any(t.name in wanted for t in stage.targets):
            found.add(number)
            wanted |= {r.tensor for r in reads_of(stage)}
    return frozenset(found)


def targets_of(space: Space) -> tuple[Tensor, ...]:
    """What a stage makes: its leading axes, then its indices."""
    leads = tuple(Lead(space.number, p) for p in range(space.lead))
    return tuple(
        Tensor(t.name, space.dtypes[t.name], (*leads, *(Extent(space.number, b.name) for b in t.bounds)))
        for t in space.stage.targets
    )


def part_step(part: Part) -> Step:
    """A part of a stage that reads too many arrays for one kernel."""

    def body(writer: Writer) -> tuple[Quantity, ...]:
        return write_map(writer, part.made, part.indices, part.value)

    return written(part.space, (part.made,), body)


def stage_step(space: Space) -> Step:
    """One stage as one kernel."""
    stage, made = space.stage, targets_of(space)
    indices = [b.name for b in stage.targets[0].bounds]

    def body(writer: Writer) -> tuple[Quantity, ...]:
        match stage.how:
            case None:
                return write_map(writer, made[0], indices, stage.values[0])
            case Reduction():
                return write_reduction(writer, made[0], indices, stage.how, stage.values[0])
            case Scan():
                return write_scan(writer, made, indices, stage.how, stage.values)
            case _:
                assert_never(stage.how)

    return replace(written(space, made, body), nonempty=nonempty(space, stage))


def written(space: Space, made: tuple[Tensor, ...], body: Callable[[Writer], tuple[Quantity, ...]]) -> Step:
    """The step whose kernel has this body, which gives the points of its domain."""
    name = identifier(space.spec.name, *(t.name for t in made))
    trace = Trace(name, None, (WIDTH, 1, 1))
    with tracing(trace):
        writer = Writer(space, trace)
        points = body(writer)
        kernel = writer.finish(name, points, made, {t.name: Role.OUT for t in made})
    reads = tuple(n for n in writer.buffers if n not in {t.name for t in made})
    return Step(space.number, kernel, reads, made, {n: q for q, n in writer.names.items()}, points)


def nonempty(space: Space, stage: Stage) -> Nonempty | None:
    """The sizes that a maximum or minimum needs not to be 0."""
    if not isinstance(stage.how, Reduction) or stage.how.kind not in (ReductionKind.MAX, ReductionKind.MIN):
        return None
    over = tuple(space.extent(b.name) for b in stage.how.over)
    return Nonempty(stage.targets[0].name, stage.how.kind.value, over)
