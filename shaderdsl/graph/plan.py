"""A graph for known shapes as launches in order: what each reads and writes, and what must be kept until when.

planned = plan(flat)        # planned.launches;  len(planned.launches) dispatches
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shaderdsl.errors import LaunchError, Location
from shaderdsl.graph.constants import with_constants
from shaderdsl.graph.contractions import fuse
from shaderdsl.graph.copies import without_copies
from shaderdsl.graph.donate import Take, in_place, takes_of
from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.fuse import Fused
from shaderdsl.graph.gathers import Gathers, with_faults
from shaderdsl.graph.kernels import Kernels
from shaderdsl.graph.prologue import with_prologues
from shaderdsl.graph.sharing import live, shared
from shaderdsl.graph.split_sums import with_split_sums
from shaderdsl.schedule.alone import alone
from shaderdsl.schedule.contract import contract
from shaderdsl.schedule.group import Group, Kind, Launch
from shaderdsl.schedule.partials import sums_of_parts, with_parts
from shaderdsl.schedule.rows import rows
from shaderdsl.schedule.two_steps import two_steps
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.notation import Reduction, ReductionKind, Stage

ELEMENT_BYTES = 4


@dataclass(frozen=True, slots=True)
class Planned:
    """A graph as launches. before: the graph as it was written. last: of each tensor, the launch that reads it last.

    made: the results that launches make; others are arguments, constants, or empty. takes: results that take over donated arguments.
    gathers: reads at indices that must lie inside, which results of their own may tell.
    """

    before: Flat
    flat: Flat
    fused: Fused
    launches: tuple[Launch, ...]
    last: Mapping[str, int]
    made: tuple[str, ...]
    takes: Mapping[str, Take]
    gathers: Gathers

    @property
    def faults(self) -> Collection[str]:
        """Results that no user sees."""
        return self.gathers.faults

    @property
    def bytes(self) -> int:
        """What the launches read and write in memory, each array once a launch."""
        return sum(self.size(n) for launch in self.launches for n in (*launch.reads, *launch.writes))

    def size(self, name: str) -> int:
        return ELEMENT_BYTES * math.prod(self.flat.shapes[name])


def plan(
    flat: Flat, *, fusion: bool = True, donated: Mapping[str, str] | None = None, known: frozenset[str] = frozenset()
) -> Planned:
    """The launches of a graph.

    fusion: else one for each stage. donated: inputs whose memory results may take over, with their paths among the arguments. known: inputs that the
    host has in each call, beside the constants.
    """
    for stage in flat.spec.stages:
        check_nonempty(stage, flat)
    reduced = smaller(flat) if fusion else live(flat)
    hosts = {n for n, array in flat.constants.items() if isinstance(array, np.ndarray)}
    reduced, gathers = with_faults(reduced, known | hosts)
    fused = fuse(reduced, enabled=fusion)
    steps = [(step, line_of(g, reduced)) for g in fused.groups if not is_empty(g) for step in stepped(g)]
    kernels = Kernels(scheduled)
    launches = tuple(replace(kernels.launch(g), loc=loc) for g, loc in steps)
    reduced = replace(
        reduced,
        shapes={n: s for g, _ in steps for n, s in g.shapes.items()} | dict(reduced.shapes),
        dtypes={n: d for g, _ in steps for n, d in g.dtypes.items()} | dict(reduced.dtypes),
    )
    takes = takes_of(reduced, launches, donated or {})
    launches = in_place(launches, takes)
    written = {n for launch in launches for n in launch.writes}
    made = tuple(n for n in reduced.spec.outputs if n in written)
    return Planned(flat, reduced, fused, launches, last_uses(launches), made, takes, gathers)


def line_of(group: Group, flat: Flat) -> Location | None:
    """The user's line that the last stage of a group came from."""
    return flat.lines.get(group.spec.stages[-1].targets[0].name)


def smaller(flat: Flat) -> Flat:
    """A graph without what need not be computed or stored, its long sums of few elements in parts."""
    for rule in (live, with_constants, shared, without_copies, with_prologues, with_split_sums):
        flat = rule(flat)
    return flat


def stepped(group: Group) -> tuple[Group, ...]:
    """A group as the kernels that compute it."""
    if group.kind is not Kind.ROWS:
        return (group,)
    if group.partials:
        return with_parts(group), *two_steps(sums_of_parts(group))
    return two_steps(group)


def scheduled(group: Group) -> Launch:
    match group.kind:
        case Kind.ROWS:
            return rows(group)
        case Kind.CONTRACT:
            return contract(group)
        case Kind.PLAIN:
            return alone(group)


def is_empty(group: Group) -> bool:
    """Whether a group makes nothing."""
    return all(0 in group.shapes[n] for n in group.spec.outputs)


def last_uses(launches: Sequence[Launch]) -> dict[str, int]:
    return {n: number for number, launch in enumerate(launches) for n in (*launch.reads, *launch.writes)}


def check_nonempty(stage: Stage, flat: Flat) -> None:
    """Nothing has no greatest element."""
    if not isinstance(stage.how, Reduction) or stage.how.kind not in (ReductionKind.MAX, ReductionKind.MIN):
        return
    sizes, over = extents(stage), {b.name for b in stage.how.over}
    made = math.prod(n for i, n in sizes.items() if i not in over)
    if made and not math.prod(sizes[i] for i in over):
        name = stage.targets[0].name
        raise LaunchError(
            f"{name} is the {stage.how.kind.value} of nothing",
            flat.lines.get(name),
            hints=["pass axes that are not empty"],
        )
