"""The body of a kernel over rows: phases, each of which ends in reductions whose results the next one needs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import reduce

from shaderdsl.errors import InternalError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, Read, Slot
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import Collective, If, Range, Return
from shaderdsl.ir.types import F32, U32, Vector
from shaderdsl.schedule.fixed import LANES, lane_number, workgroup_number
from shaderdsl.schedule.group import is_reduction, levels_of
from shaderdsl.schedule.lanes import as_kind, component, is_vector, laned, quad_place, splat
from shaderdsl.schedule.row_places import Places
from shaderdsl.schedule.step import TYPES
from shaderdsl.schedule.totals import COLLECTIVES, OPERATIONS, Total, combine, reduction_of
from shaderdsl.schedule.values import literal
from shaderdsl.schedule.writer import AT
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.notation import Dtype, Index, OpSpec, ReductionKind, Stage
from shaderdsl.spec.notation import Read as ReadOf


@dataclass(slots=True, eq=False)
class Rows(Places):
    """The body: phases, each of which ends in reductions whose results the next one needs."""

    @property
    def spec(self) -> OpSpec:
        return self.group.spec

    def write(self) -> None:
        self.open_row()
        self.start_pieces()
        self.phases()

    def phases(self) -> None:
        """A row from its elements to what its last reductions give."""
        levels = levels_of(self.spec)
        for level in range(max(levels.values(), default=0) + 1):
            self.phase([s for s in self.spec.stages if levels[s.targets[0].name] == level and not self.is_partial(s)])

    def is_partial(self, stage: Stage) -> bool:
        return stage.targets[0].name in self.group.partials

    def open_row(self) -> None:
        """The places of the row's indices; a row beyond the last ends here."""
        writer, shape = self.writer, self.shape
        row: Expr = workgroup_number()
        if shape.threads == 1:
            base = AT.binary(BinaryOp.MUL, row, Const(shape.workgroup, U32, None))
            row = AT.binary(BinaryOp.ADD, base, lane_number())
        names = self.group.rows
        row = writer.trace.let(row, None, name="quad" if self.lane_of_rows else names[0] if len(names) == 1 else "row")
        past = AT.binary(BinaryOp.GE, row, Const(shape.rows, U32, None))
        writer.trace.emit(If(past, (Return(None, None),), (), None))
        if self.lane_of_rows:
            self.writer.lane = self.lane
            self.place_quads(row, names)
        else:
            writer.unflattened(row, names)

    def phase(self, sinks: Sequence[Stage]) -> None:
        """The stages of one level: what each row has, then each element, then the reductions over them."""
        for stage in sinks:
            if not is_reduction(stage) and not self.group.is_element(stage):
                self.row_value(stage)
        reductions = [s for s in sinks if is_reduction(s)]
        written = [s for s in sinks if self.group.is_element(s) and s.targets[0].name in self.spec.outputs]
        if reductions or written or (self.shape.unrolled and any(map(self.group.is_element, sinks))):
            self.sweep([*written, *reductions], sinks)

    def row_value(self, stage: Stage) -> None:
        """A value that a row has once."""
        name = stage.targets[0].name
        typed = laned(self.writer, stage.values[0])
        self.keep_row(stage, as_kind(typed, self.group.dtypes[name]))

    def keep_row(self, stage: Stage, value: Expr) -> None:
        name = stage.targets[0].name
        kept = value if isinstance(value, Read) else self.writer.trace.let(value, None, name=name)
        self.writer.held[name] = kept, self.group.dtypes[name]
        if name in self.spec.outputs:
            self.store_row(name, stage, kept)

    def store_row(self, name: str, stage: Stage, value: Expr) -> None:
        """One invocation of a row writes what it has."""
        writer = self.writer
        if self.lane_of_rows:
            self.store_quad(stage, splat(value))
            return
        tensor = writer.space.tensors[name]
        places = [writer.places[b.name] for b in stage.targets[0].bounds]
        if self.shape.threads == 1:
            writer.store(writer.buffer(tensor), writer.flat(places, tensor.axes), value)
            return
        with writer.when(AT.binary(BinaryOp.EQ, lane_number(), Const(0, U32, None))):
            writer.store(writer.buffer(tensor), writer.flat(places, tensor.axes), value)

    def needed(self, sinks: Sequence[Stage]) -> list[Stage]:
        """The element stages that some stages need, each after those that it needs."""
        wanted = {s.targets[0].name for s in sinks}
        found: list[Stage] = []
        for stage in reversed(self.spec.stages):
            name = stage.targets[0].name
            if name in wanted and (self.group.is_element(stage) or stage in sinks):
                wanted |= {r.tensor for r in reads_of(stage)}
                found.append(stage)
        return [s for s in reversed(found) if self.group.is_element(s)]

    def sweep(self, sinks: Sequence[Stage], level: Sequence[Stage]) -> None:
        """Every piece of the row: its elements, and their part in each reduction."""
        reductions = [s for s in sinks if is_reduction(s)]
        stages = [s for s in self.spec.stages if s in level and self.group.is_element(s)]
        stages = stages if self.shape.unrolled else self.needed(sinks)
        if self.shape.unrolled:
            totals = self.unrolled(stages, sinks, reductions)
        else:
            totals = self.looped(stages, sinks, reductions)
        for stage, total in zip(reductions, totals):
            self.keep_row(stage, self.across(stage, total))

    def unrolled(self, stages: Sequence[Stage], sinks: Sequence[Stage], reductions: Sequence[Stage]) -> list[Expr]:
        """Pieces one after the other, their elements kept."""
        writer = self.writer
        totals: list[Expr | None] = [None] * len(reductions)
        for number, piece in enumerate(self.pieces):
            outer = writer.held
            with self.at_piece(number) as valid:
                self.compute(stages, valid, sinks)
                piece.held = {n: v for n, v in writer.held.items() if n not in outer}
                for index, stage in enumerate(reductions):
                    term = self.term(stage, valid)
                    before = totals[index]
                    totals[index] = term if before is None else combine(stage, before, term)
        return [t for t in totals if t is not None]

    def compute(self, stages: Sequence[Stage], valid: Expr | None, sinks: Sequence[Stage]) -> None:
        """The elements of some stages at the current point, and stores of those that are results."""
        writer = self.writer
        for stage in stages:
            name = stage.targets[0].name
            if name in writer.held:
                continue
            value = as_kind(laned(writer, stage.values[0]), self.group.dtypes[name])
            writer.held[name] = writer.trace.let(value, None, name=name), self.group.dtypes[name]
        for stage in sinks:
            if self.group.is_element(stage):
                self.store_element(stage, valid)

    def store_element(self, stage: Stage, valid: Expr | None) -> None:
        writer, name = self.writer, stage.targets[0].name
        with ExitStack() as stack:
            if valid is not None:
                stack.enter_context(writer.when(valid))
            value = writer.held[name][0]
            tensor = writer.space.tensors[name]
            if self.lane is not None:
                self.store_quad(stage, splat(value))
                return
            places = [writer.places[b.name] for b in stage.targets[0].bounds]
            writer.store(writer.buffer(tensor), writer.flat(places, tensor.axes), value)

    def store_quad(self, stage: Stage, value: Expr) -> None:
        """Write four neighbours."""
        writer = self.writer
        tensor = writer.space.tensors[stage.targets[0].name]
        place = quad_place(writer, ReadOf(tensor.name, tuple(Index(b.name) for b in stage.targets[0].bounds)))
        writer.store(writer.buffer(tensor), place, as_words(value))

    def term(self, stage: Stage, valid: Expr | None) -> Expr:
        """What the current elements add to a reduction: a vector for sums of vectors."""
        name = stage.targets[0].name
        dtype = self.group.dtypes[name]
        value = as_kind(laned(self.writer, stage.values[0]), dtype)
        if self.lane is not None:
            value = splat(value)
        if valid is None or reduction_of(stage) in OPERATIONS:
            return value
        start = literal(1 if reduction_of(stage) is ReductionKind.PROD else 0, dtype)
        none = splat(start) if is_vector(value) else start
        return AT.call(Builtin.SELECT, none, value, valid)

    def looped(self, stages: Sequence[Stage], sinks: Sequence[Stage], reductions: Sequence[Stage]) -> list[Expr]:
        """Pieces in a loop that computes again what it needs."""
        writer, shape = self.writer, self.shape
        totals = [Total(writer, s, self.group.dtypes[s.targets[0].name], self.lane is not None) for s in reductions]
        slot = Slot("piece", U32)
        unroll = next(u for u in (4, 2, 1) if shape.pieces % u == 0)
        with self.as_before(), writer.block(loop=True) as body:
            piece = Read(slot, U32, None)
            for stage, total, terms in zip(reductions, totals, self.turn(piece, unroll, stages, sinks, reductions)):
                first = reduce(lambda a, b, s=stage: combine(s, a, b), terms)
                total.take(combine(stage, total.value, first), piece, shape.pieces, unroll)
        start, stop, step = (Const(n, U32, None) for n in (0, shape.pieces, unroll))
        writer.trace.emit(Range(slot, start, stop, step, tuple(body), None))
        return [t.finished for t in totals]

    def turn(
        self, piece: Expr, unroll: int, stages: Sequence[Stage], sinks: Sequence[Stage], reductions: Sequence[Stage]
    ) -> list[list[Expr]]:
        """Some pieces one after the other, so that their loads are under way together: the terms of each reduction."""
        shape = self.shape
        even = shape.pieces * shape.threads * (shape.lanes if self.lane_of_columns else 1) == shape.columns
        terms: list[list[Expr]] = [[] for _ in reductions]
        for ahead in range(unroll):
            with self.as_before():
                number = AT.binary(BinaryOp.ADD, piece, Const(ahead, U32, None)) if ahead else piece
                if shape.threads > 1:
                    base = AT.binary(BinaryOp.MUL, number, Const(shape.threads, U32, None))
                    number = AT.binary(BinaryOp.ADD, base, lane_number())
                self.place_unit(number, 0 if even else shape.columns)
                valid = self.valid
                self.compute(stages, valid, sinks)
                for found, stage in zip(terms, reductions):
                    found.append(self.term(stage, valid))
        return terms

    def across(self, stage: Stage, total: Expr) -> Expr:
        """A reduction's parts of all lanes and invocations of a row."""
        kind = reduction_of(stage)
        if is_vector(total) and self.lane_of_columns:
            parts = [component(total, n) for n in range(LANES)]
            pairs = combine(stage, parts[0], parts[1]), combine(stage, parts[2], parts[3])
            total = combine(stage, *pairs)
        if self.shape.threads > 1:
            total = self.grouped(stage, kind, total)
        if kind is ReductionKind.MEAN:
            total = AT.binary(BinaryOp.DIV, total, Const(float(self.shape.columns), F32, None))
        return total

    def grouped(self, stage: Stage, kind: ReductionKind, total: Expr) -> Expr:
        """Over the workgroup."""
        operation = COLLECTIVES.get(kind)
        if operation is None:
            raise InternalError(f"{kind} over a workgroup")
        slot = Slot(stage.targets[0].name, total.type)
        self.writer.trace.emit(Collective(slot, operation, total, None, None))
        return Read(slot, total.type, None)


def as_words(value: Expr) -> Expr:
    """Conditions in memory are words."""
    if isinstance(value.type, Vector) and value.type.scalar == TYPES[Dtype.BOOL]:
        return AT.convert(value, Vector(LANES, U32))
    return value
