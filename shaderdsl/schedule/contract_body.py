"""The body of a tiled contraction: slices of both factors in shared memory, doubly buffered, and a block of the output in each invocation's registers.

While a slice is multiplied, the loads of the next one are under way in registers; the last slice is loaded twice, which is cheaper than a branch. An invocation's rows and columns lie in groups of four, spread over the
tile, so that neighbours read neighbours of shared memory. Sums of f32 longer than RUN terms go through a second accumulator, so that their error stays
below (RUN + n / RUN) * 2**-24 of the sum of the terms' sizes: 9.6e-6 at 4,096 terms, whatever the terms are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, Variable
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import Barrier, BarrierKind
from shaderdsl.ir.types import F32, U32, Vector
from shaderdsl.schedule.contract_load import LANES, Factor, Loader, plus, quotient, remainder, times, total
from shaderdsl.schedule.contract_shape import Tile
from shaderdsl.schedule.contraction import Contraction
from shaderdsl.schedule.fixed import FixedWriter, lane_number
from shaderdsl.schedule.lanes import component, splat
from shaderdsl.schedule.sizes import Fixed
from shaderdsl.schedule.step import TYPES
from shaderdsl.schedule.values import literal
from shaderdsl.schedule.writer import AT
from shaderdsl.spec.notation import Dtype

RUN = 128
"""Terms of a sum of f32 that one accumulator takes."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tile begins in the output, and where an invocation stands in it."""

    first_row: Expr
    first_column: Expr
    down: Expr
    across: Expr


@dataclass(slots=True, eq=False)
class Block:
    """What an invocation accumulates: by row, vec4 along the columns. totals: the second accumulators, where there are runs."""

    sums: list[list[Variable]]
    totals: list[list[Variable]] = field(default_factory=list[list[Variable]])


@dataclass(slots=True, eq=False)
class Multiplier:
    """Accumulates contractions over one tile. shared: the arrays that slices of the left and the right factor go through."""

    writer: FixedWriter
    tile: Tile
    place: Place
    shared: tuple[Variable, Variable]

    def accumulate(self, found: Contraction, factors: tuple[Factor, Factor]) -> list[list[Expr]]:
        """The sums of a contraction, by row."""
        writer, tile = self.writer, self.tile
        slices = -(-factors[0].terms // tile.depth)
        block = self.block(found, in_runs(found, factors[0].extents))
        loaders = self.loaders(factors)
        self.store(loaders, [x.fetch(Const(0, U32, None)) for x in loaders], Const(0, U32, None))
        self.barrier()
        if slices == 1:
            self.multiply(block, found.dtype, Const(0, U32, None))
            self.barrier()
            return self.sums(block)
        with writer.loop("slice", Fixed(slices)) as number:
            half = writer.trace.let(remainder(number, 2), None, name="half")
            last = AT.call(Builtin.MIN, plus(number, 1), Const(slices - 1, U32, None))
            following = writer.trace.let(times(last, tile.depth), None, name="following")
            fetched = [x.fetch(following) for x in loaders]
            self.multiply(block, found.dtype, half)
            self.store(loaders, fetched, AT.binary(BinaryOp.SUB, Const(1, U32, None), half))
            self.barrier()
            self.pour_runs(block, number)
        return self.sums(block)

    def block(self, found: Contraction, runs: bool) -> Block:
        """Accumulators at zero."""
        sums = self.variables(found.name, found.dtype)
        return Block(sums, self.variables(f"{found.name}_total", found.dtype) if runs else [])

    def variables(self, name: str, dtype: Dtype) -> list[list[Variable]]:
        zero = splat(literal(0, dtype))
        kind = Vector(LANES, TYPES[dtype])
        return [
            [self.writer.declare(f"{name}_{row}_{quad}", kind, zero) for quad in range(self.tile.width // LANES)]
            for row in range(self.tile.height)
        ]

    def loaders(self, factors: tuple[Factor, Factor]) -> list[Loader]:
        tile, place = self.tile, self.place
        ends = (tile.rows, tile.columns), (place.first_row, place.first_column)
        found = [
            Loader(self.writer, f, s, width, tile.depth, tile.threads, first, from_end)
            for f, s, width, first, from_end in zip(factors, self.shared, *ends, (False, True))
        ]
        for loader in found:
            loader.open()
        return found

    def store(self, loaders: Sequence[Loader], fetched: Sequence[list[list[Expr]]], half: Expr) -> None:
        for loader, values in zip(loaders, fetched):
            base = times(half, loader.width // LANES * self.tile.depth)
            loader.store(values, base if isinstance(base, Const) else self.writer.trace.let(base, None))

    def barrier(self) -> None:
        self.writer.trace.emit(Barrier(BarrierKind.WORKGROUP, None))

    def multiply(self, block: Block, dtype: Dtype, half: Expr) -> None:
        """One slice from shared memory, its terms written out."""
        writer, tile = self.writer, self.tile
        left, right = (
            writer.trace.let(total(times(half, width // LANES * tile.depth), at), None, name=name)
            for width, at, name in (
                (tile.rows, self.place.down, "left_at"),
                (tile.columns, self.place.across, "right_at"),
            )
        )
        for term in range(tile.depth):
            rows = [
                writer.load(self.shared[0], plus(left, term * tile.rows // LANES + n * tile.down))
                for n in range(tile.height // LANES)
            ]
            columns = [
                writer.load(self.shared[1], plus(right, term * tile.columns // LANES + n * tile.across))
                for n in range(tile.width // LANES)
            ]
            for number, sums in enumerate(block.sums):
                factor = component(rows[number // LANES], number % LANES)
                for variable, column in zip(sums, columns):
                    writer.assign(variable, self.added(writer.value(variable), factor, column, dtype))

    def added(self, total: Expr, factor: Expr, column: Expr, dtype: Dtype) -> Expr:
        """One step of a sum, as one expression: there are hundreds, and each of them used once."""
        if dtype is Dtype.F32:
            return build.call(Builtin.FMA, [splat(factor), column, total], None)
        return build.binary(BinaryOp.ADD, total, build.binary(BinaryOp.MUL, factor, column, None), None)

    def pour_runs(self, block: Block, number: Expr) -> None:
        """Where a run ends, its sums go to the totals."""
        if not block.totals:
            return
        writer, length = self.writer, RUN // self.tile.depth
        ends = AT.binary(BinaryOp.EQ, remainder(number, length), Const(length - 1, U32, None))
        zero = splat(Const(0.0, F32, None))
        with writer.when(ends):
            for sums, totals in zip(block.sums, block.totals):
                for run, total in zip(sums, totals):
                    writer.assign(total, AT.binary(BinaryOp.ADD, writer.value(total), writer.value(run)))
                    writer.assign(run, zero)

    def sums(self, block: Block) -> list[list[Expr]]:
        writer = self.writer
        found = [[writer.value(v) for v in row] for row in block.sums]
        if not block.totals:
            return found
        return [
            [AT.binary(BinaryOp.ADD, writer.value(t), run) for t, run in zip(totals, runs)]
            for totals, runs in zip(block.totals, found)
        ]


def in_runs(found: Contraction, extents: Mapping[str, int]) -> bool:
    """Whether a sum is so long that it needs a second accumulator."""
    return found.dtype is Dtype.F32 and math.prod(extents[n] for n in found.over) > RUN


def standing(writer: FixedWriter, tile: Tile, first_row: Expr, first_column: Expr) -> Place:
    """Where this invocation stands in its tile."""
    down = writer.trace.let(quotient(lane_number(), tile.across), None, name="down")
    across = writer.trace.let(remainder(lane_number(), tile.across), None, name="across")
    return Place(first_row, first_column, down, across)
