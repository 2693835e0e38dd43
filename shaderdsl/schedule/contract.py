"""Contractions: products of matrices and all that is like them, tile by tile, with what follows element by element.

    launch = contract(group)        # relu(x @ w.T), in one kernel

A kernel has one or several parts, one after the other in its grid; a part is a range of tiles over its own output, with one or several contractions in
each tile. Any number of indices, any order of them in memory, any sizes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from shaderdsl.ir.expr import AddressSpace, Const, Expr, Variable
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import U32, Array, Vector
from shaderdsl.lang.trace import Trace, tracing
from shaderdsl.schedule.contract_body import RUN, Multiplier, in_runs, standing
from shaderdsl.schedule.contract_end import Ending
from shaderdsl.schedule.contract_load import Factor, quotient, remainder, times
from shaderdsl.schedule.contract_shape import Tile, Work, tile_of
from shaderdsl.schedule.contraction import Contraction, contraction_of
from shaderdsl.schedule.fixed import LANES, FixedSpace, FixedWriter, workgroup_number
from shaderdsl.schedule.group import Group, Launch
from shaderdsl.schedule.lanes import quadable
from shaderdsl.schedule.step import TYPES
from shaderdsl.schedule.writer import AT
from shaderdsl.spec.axes import walk
from shaderdsl.spec.notation import Dtype, Read, Scalar, Stage

WIDEST = 65535
"""Workgroups along one axis of a grid; beyond, the grid is folded and its last row may be too long."""


@dataclass(frozen=True, slots=True)
class Part:
    """Contractions over one tile of one output domain, and the stages that follow them there."""

    contractions: tuple[Contraction, ...]
    stages: tuple[Stage, ...]

    def work(self, extents: Mapping[str, int]) -> Work:
        batch, rows, columns = (math.prod(extents[n] for n in names) for names in self.contractions[0].roles)
        terms = max(math.prod(extents[n] for n in c.over) for c in self.contractions)
        return Work(batch, rows, columns, terms, len(self.contractions))


def parts_of(group: Group) -> list[Part]:
    """A group's parts: its stages by the indices of their outputs."""
    by_domain: dict[frozenset[str], list[Stage]] = {}
    for stage in group.spec.stages:
        by_domain.setdefault(frozenset(b.name for b in stage.targets[0].bounds), []).append(stage)
    parts: list[Part] = []
    for stages in by_domain.values():
        found = {s.targets[0].name: contraction_of(s, group.dtypes) for s in stages}
        contractions = tuple(c for c in found.values() if c is not None)
        parts.append(Part(contractions, tuple(s for s in stages if found[s.targets[0].name] is None)))
    return parts


def contract(group: Group, tile: Tile | None = None) -> Launch:
    """The kernel of a group of contractions. tile: else a good one for its sizes."""
    parts = parts_of(group)
    works = [p.work(group.domain) for p in parts]
    tile = tile_of(works) if tile is None else tile
    counts = [w.tiles(tile) for w in works]
    trace = Trace(group.name, None, (tile.threads, 1, 1))
    with tracing(trace):
        kernel_parts = Parts(group, tile, parts)
        writer = FixedWriter(FixedSpace.of(group), trace, quads=kernel_parts.quads)
        kernel_parts.write(writer, counts)
        reads = [i.name for i in group.spec.inputs if i.name in writer.buffers]
        kernel = writer.finished(group.name, tile.threads, reads, group.spec.outputs, each=None)
    runs = [c.name for p in parts for c in p.contractions if in_runs(c, group.domain)]
    notes = [f"{n} is summed in runs of {RUN} terms, then over them: another order than written" for n in runs]
    return Launch(kernel, tuple(reads), group.spec.outputs, sum(counts), (*group.notes, *notes), fills_shared=True)


@dataclass(slots=True, eq=False)
class Parts:
    """The parts of one kernel, and which tensors all of them read and write as vec4."""

    group: Group
    tile: Tile
    parts: Sequence[Part]

    @property
    def quads(self) -> frozenset[str]:
        """Tensors that are bound as vec4."""
        uses: dict[str, list[tuple[Read, str | None]]] = {}
        for part in self.parts:
            for factor in self.wanted(part):
                collect(uses, factor.value, factor.lane)
            for value in self.after(part):
                collect(uses, value, self.lane(part))
        outputs = {n for p in self.parts if self.lane(p) is not None for n in self.outputs(p)}
        inputs = {i.name for i in self.group.spec.inputs}
        return frozenset(n for n, found in uses.items() if n in inputs and self.aligned(n, found)) | outputs

    def aligned(self, name: str, uses: Sequence[tuple[Read, str | None]]) -> bool:
        """Whether each read of a tensor is of four aligned neighbours."""
        group, space = self.group, FixedSpace.of(self.group)
        writer = FixedWriter(space, Trace("", None, None))

        def inside(read: Read) -> bool:
            return all(writer.surely_inside(i, s) for i, s in zip(read.indices, space.tensors[name].axes))

        return all(
            lane is not None and quadable(group.shapes[name], [read], lane, group.domain, inside) for read, lane in uses
        )

    def wanted(self, part: Part) -> list[Factor]:
        """Both factors of each contraction, with the lane that memory suggests."""
        found: list[Factor] = []
        for c in part.contractions:
            for value, own in ((c.left, c.rows), (c.right, c.columns)):
                factor = Factor(value, own, c.over, c.dtype, self.group.domain)
                found.append(replace(factor, lane=factor.wanted_lane))
        return found

    def factors(self, part: Part, quads: frozenset[str]) -> list[tuple[Factor, Factor]]:
        """The factors, four at a time only where something is read as vec4 then."""
        found = [
            f if any(isinstance(p, Read) and p.tensor in quads for p in walk(f.value)) else replace(f, lane=None)
            for f in self.wanted(part)
        ]
        return list(zip(found[::2], found[1::2]))

    def after(self, part: Part) -> list[Scalar]:
        """Expressions that are computed for each element of the output."""
        return [c.scale for c in part.contractions if c.scale is not None] + [s.values[0] for s in part.stages]

    def outputs(self, part: Part) -> list[str]:
        made = {c.name for c in part.contractions} | {s.targets[0].name for s in part.stages}
        return [n for n in self.group.spec.outputs if n in made]

    def lane(self, part: Part) -> str | None:
        """The index along which vec4 are stored."""
        last = part.contractions[0].columns[-1]
        stages = [self.group.spec.stage_of(n) for n in self.outputs(part)]
        ends = all(s is not None and s.targets[0].bounds[-1].name == last for s in stages)
        return last if ends and self.group.domain[last] % LANES == 0 else None

    def write(self, writer: FixedWriter, counts: Sequence[int]) -> None:
        """Each part, for its own range of workgroups."""
        number = writer.trace.let(workgroup_number(), None, name="tile")
        shared = self.shared(writer)
        first, alone = 0, len(self.parts) == 1 and sum(counts) <= WIDEST
        for part, count in zip(self.parts, counts):
            with ExitStack() as stack:
                if not alone:
                    stack.enter_context(writer.when(between(number, first, first + count)))
                own = number if first == 0 else AT.binary(BinaryOp.SUB, number, Const(first, U32, None))
                self.write_part(writer, part, own, shared)
            first += count

    def shared(self, writer: FixedWriter) -> dict[Dtype, tuple[Variable, Variable]]:
        """Arrays for the slices of both factors, by type."""
        found: dict[Dtype, tuple[Variable, Variable]] = {}
        for dtype in dict.fromkeys(c.dtype for p in self.parts for c in p.contractions):
            made = tuple(
                Variable(
                    side if len(found) == 0 else f"{side}_{dtype.value}",
                    Array(Vector(LANES, TYPES[dtype]), 2 * self.tile.depth * width // LANES),
                    AddressSpace.WORKGROUP,
                    None,
                )
                for side, width in (("left", self.tile.rows), ("right", self.tile.columns))
            )
            writer.shared += made
            found[dtype] = (made[0], made[1])
        return found

    def write_part(
        self, writer: FixedWriter, part: Part, number: Expr, shared: Mapping[Dtype, tuple[Variable, Variable]]
    ) -> None:
        group, tile = self.group, self.tile
        ending = Ending(part.contractions, part.stages, self.outputs(part), group.domain, group.dtypes, self.lane(part))
        along = -(-ending.count(ending.columns) // tile.columns)
        below = -(-ending.count(ending.rows) // tile.rows)
        writer.unflattened(quotient(number, along * below), part.contractions[0].batch)
        row = times(remainder(quotient(number, along), below), tile.rows)
        first_row = writer.trace.let(row, None, name="first_row")
        first_column = writer.trace.let(times(remainder(number, along), tile.columns), None, name="first_column")
        place = standing(writer, tile, first_row, first_column)
        sums = {
            c.name: Multiplier(writer, tile, place, shared[c.dtype]).accumulate(c, f)
            for c, f in zip(part.contractions, self.factors(part, writer.quads))
        }
        ending.write(writer, tile, place, sums)


def collect(uses: dict[str, list[tuple[Read, str | None]]], value: Scalar, lane: str | None) -> None:
    for part in walk(value):
        if isinstance(part, Read):
            uses.setdefault(part.tensor, []).append((part, lane))


def between(number: Expr, first: int, end: int) -> Expr:
    """Whether a number lies in a range."""
    below = AT.binary(BinaryOp.LT, number, Const(end, U32, None))
    if first == 0:
        return below
    return AT.binary(BinaryOp.LOGICAL_AND, AT.binary(BinaryOp.GE, number, Const(first, U32, None)), below)
