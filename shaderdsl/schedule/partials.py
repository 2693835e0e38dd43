"""Rows with sums over the rows beside them: a workgroup does several rows and keeps a part of each column's sum in registers.

    r[i] = rsqrt(mean(j) x[i, j] ** 2 + eps)
    d_x[i, j] = ...                             # needs the row
    d_g[j] = sum(i) d_y[i, j] * x[i, j] * r[i]  # needs all rows: parts of it by this kernel, their sum by another

So a norm's backward reads its arguments once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, Read, Slot, Variable
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import If, Range, Return
from shaderdsl.ir.types import U32
from shaderdsl.schedule.fixed import lane_number, workgroup_number
from shaderdsl.schedule.group import Group
from shaderdsl.schedule.lanes import splat
from shaderdsl.schedule.row_body import Rows
from shaderdsl.schedule.totals import combine, neutral, reduction_of
from shaderdsl.schedule.two_steps import regrouped
from shaderdsl.schedule.writer import AT
from shaderdsl.spec import notation
from shaderdsl.spec.notation import Bound, Index, Number, Operation, Operator, Reduction, ReductionKind, Stage, Target

MOST_ROWS = 32
"""Rows that one workgroup adds up: more would cost accuracy."""
CHUNK = "chunk"


def chunking(group: Group) -> tuple[int, int]:
    """How many workgroups do how many rows each."""
    rows = group.count(group.rows)
    size = min(MOST_ROWS, max(1, rows // 2048))
    return -(-rows // size), size


def with_parts(group: Group) -> Group:
    """The first step: the group whose kernel writes parts."""
    count, _ = chunking(group)
    shapes = {p: (count, *group.shapes[n]) for n, p in group.partials.items()}
    dtypes = {p: group.dtypes[n] for n, p in group.partials.items()}
    return replace(group, shapes={**group.shapes, **shapes}, dtypes={**group.dtypes, **dtypes})


def sums_of_parts(group: Group) -> Group:
    """The second step: the sums of the parts."""
    count, _ = chunking(group)
    domain = {CHUNK: count, **{n: group.domain[n] for n in group.swept or ()}}
    stages: list[Stage] = []
    for stage in group.spec.stages:
        name = stage.targets[0].name
        if name in group.partials and isinstance(stage.how, Reduction):
            mean = stage.how.kind is ReductionKind.MEAN
            kind = ReductionKind.SUM if mean else stage.how.kind
            value: notation.Scalar = notation.Read(group.partials[name], tuple(map(Index, domain)))
            if mean:
                value = Operation(Operator.DIV, (value, Number(float(group.count(group.rows)))))
            bounds = tuple(Bound(n, Number(e)) for n, e in domain.items() if n != CHUNK)
            stages.append(Stage((Target(name, bounds),), Reduction(kind, (Bound(CHUNK, Number(count)),)), (value,)))
    names = [s.targets[0].name for s in stages]
    first = with_parts(group)
    found = regrouped(first, f"{group.name}_sums", stages, domain, (CHUNK,), names)
    return replace(found, partials={})


@dataclass(slots=True, eq=False)
class Partials(Rows):
    """The body of the first step: a loop over rows around the body of a row."""

    sums: dict[tuple[str, int], Variable] = field(default_factory=dict["tuple[str, int]", Variable])

    def write(self) -> None:
        writer, group = self.writer, self.group
        count, size = chunking(group)
        chunk = self.open_chunk(count)
        self.start_pieces()
        for number, piece in enumerate(self.pieces):
            self.place_piece(number, piece)
        for stage in self.summed():
            for number in range(len(self.pieces)):
                self.sums[stage.targets[0].name, number] = self.declare_sum(stage)
        rows = group.count(group.rows)
        first = AT.binary(BinaryOp.MUL, chunk, Const(size, U32, None))
        stop: Expr = Const(size, U32, None)
        if rows % size:
            stop = AT.call(Builtin.MIN, stop, AT.binary(BinaryOp.SUB, Const(rows, U32, None), first))
        slot, held = Slot("turn", U32), dict(writer.held)
        with writer.block(loop=True) as body:
            names = group.rows
            row = AT.binary(BinaryOp.ADD, first, Read(slot, U32, None))
            writer.unflattened(writer.trace.let(row, None, name=names[0] if len(names) == 1 else "row"), names)
            self.phases()
            self.add_up()
        writer.trace.emit(Range(slot, Const(0, U32, None), stop, Const(1, U32, None), tuple(body), None))
        writer.held = held
        self.write_parts(chunk)

    def open_chunk(self, count: int) -> Expr:
        """The number of this chunk of rows; one beyond the last ends here."""
        writer = self.writer
        number: Expr = workgroup_number()
        if self.shape.threads == 1:
            base = AT.binary(BinaryOp.MUL, number, Const(self.shape.workgroup, U32, None))
            number = AT.binary(BinaryOp.ADD, base, lane_number())
        chunk = writer.trace.let(number, None, name=CHUNK)
        past = AT.binary(BinaryOp.GE, chunk, Const(count, U32, None))
        writer.trace.emit(If(past, (Return(None, None),), (), None))
        return chunk

    def summed(self) -> list[Stage]:
        return [s for s in self.spec.stages if s.targets[0].name in self.group.partials]

    def declare_sum(self, stage: Stage) -> Variable:
        name = stage.targets[0].name
        start = neutral(reduction_of(stage), self.group.dtypes[name])
        start = splat(start) if self.lane is not None else start
        return self.writer.declare(f"{name}_part", start.type, start)

    def add_up(self) -> None:
        """This row's elements, added to the parts."""
        for number in range(len(self.pieces)):
            with self.at_piece(number) as valid:
                for stage in self.summed():
                    part = self.sums[stage.targets[0].name, number]
                    self.writer.assign(part, combine(stage, self.writer.value(part), self.term(stage, valid)))

    def write_parts(self, chunk: Expr) -> None:
        """Each column's part, beside those of the other chunks."""
        writer = self.writer
        writer.places[CHUNK] = chunk
        for number in range(len(self.pieces)):
            with self.at_piece(number) as valid:
                for stage in self.summed():
                    name = stage.targets[0].name
                    bounds = tuple(Bound(n) for n in (CHUNK, *(self.group.swept or ())))
                    target = Stage((Target(self.group.partials[name], bounds),), None, stage.values)
                    writer.held[self.group.partials[name]] = (
                        writer.value(self.sums[name, number]),
                        self.group.dtypes[name],
                    )
                    self.store_element(target, valid)
