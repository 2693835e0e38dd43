"""What follows a contraction in its tile: scale factors, the stages that read its sums at their own place, and stores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from shaderdsl.ir.expr import Const, Expr
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F32, U32, Vector
from shaderdsl.schedule.contract_body import Place
from shaderdsl.schedule.contract_load import LANES, places_of, plus, quad_places, times
from shaderdsl.schedule.contract_shape import Tile
from shaderdsl.schedule.contraction import Contraction
from shaderdsl.schedule.fixed import FixedWriter
from shaderdsl.schedule.lanes import as_kind, component, laned, quad_place, splat
from shaderdsl.schedule.step import STORED
from shaderdsl.schedule.writer import AT
from shaderdsl.spec.notation import Dtype, Index, Read, Stage

Sums = Mapping[str, Sequence[Sequence[Expr]]]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place along the columns: of a vec4, or of one element of it."""

    number: Expr
    limit: int
    places: Mapping[str, Expr]
    quad: Expr | None
    which: int
    lane: int | None


@dataclass(frozen=True, slots=True)
class Ending:
    """Contractions over one tile with what follows them. lane: the index along which vec4 are stored, where they are."""

    contractions: Sequence[Contraction]
    stages: Sequence[Stage]
    outputs: Sequence[str]
    extents: Mapping[str, int]
    dtypes: Mapping[str, Dtype]
    lane: str | None

    @property
    def rows(self) -> tuple[str, ...]:
        return self.contractions[0].rows

    @property
    def columns(self) -> tuple[str, ...]:
        return self.contractions[0].columns

    def count(self, names: Sequence[str]) -> int:
        return math.prod(self.extents[n] for n in names)

    def write(self, writer: FixedWriter, tile: Tile, place: Place, sums: Sums) -> None:
        """Every element of the invocation's block."""
        spots = self.spots(writer, tile, place)
        total = self.count(self.rows)
        for row in range(tile.height):
            at = AT.binary(BinaryOp.ADD, place.first_row, times(plus(place.down, row // LANES * tile.down), LANES))
            number = writer.trace.let(plus(at, row % LANES), None, name="row")
            with ExitStack() as stack:
                if total % tile.rows:
                    stack.enter_context(writer.when(AT.binary(BinaryOp.LT, number, Const(total, U32, None))))
                own = places_of(writer, number, self.rows)
                for spot in spots:
                    self.write_spot(writer, tile, spot, own, {n: s[row][spot.which] for n, s in sums.items()})

    def spots(self, writer: FixedWriter, tile: Tile, place: Place) -> list[Spot]:
        found: list[Spot] = []
        total = self.count(self.columns)
        for which in range(tile.width // LANES):
            quads = plus(place.across, which * tile.across)
            first = AT.binary(BinaryOp.ADD, place.first_column, times(quads, LANES))
            if self.lane is not None:
                number = AT.binary(
                    BinaryOp.ADD, AT.binary(BinaryOp.DIV, place.first_column, Const(LANES, U32, None)), quads
                )
                number = writer.trace.let(number, None, name="quad")
                places, quad = quad_places(writer, number, self.columns, self.extents)
                found.append(Spot(number, total // LANES, places, quad, which, None))
                continue
            for lane in range(LANES):
                number = writer.trace.let(plus(first, lane), None, name="column")
                found.append(Spot(number, total, places_of(writer, number, self.columns), None, which, lane))
        return found

    def write_spot(
        self, writer: FixedWriter, tile: Tile, spot: Spot, own: Mapping[str, Expr], sums: Mapping[str, Expr]
    ) -> None:
        outer = writer.places, writer.known, writer.signed, writer.held, writer.lane, writer.quad
        with ExitStack() as stack:
            if self.count(self.columns) % tile.columns:
                inside = AT.binary(BinaryOp.LT, spot.number, Const(spot.limit, U32, None))
                stack.enter_context(writer.when(inside))
            writer.places = {**writer.places, **own, **spot.places}
            writer.known, writer.signed, writer.held = {}, {}, dict(writer.held)
            writer.lane, writer.quad = self.lane, spot.quad
            for found in self.contractions:
                given = sums[found.name]
                given = given if spot.lane is None else component(given, spot.lane)
                self.keep(writer, found.name, self.scaled(writer, found, given))
            for stage in self.stages:
                name = stage.targets[0].name
                self.keep(writer, name, as_kind(laned(writer, stage.values[0]), self.dtypes[name]))
            for name in self.outputs:
                self.store(writer, name)
        writer.places, writer.known, writer.signed, writer.held, writer.lane, writer.quad = outer

    def keep(self, writer: FixedWriter, name: str, value: Expr) -> None:
        writer.held[name] = writer.trace.let(value, None, name=name), self.dtypes[name]

    def scaled(self, writer: FixedWriter, found: Contraction, value: Expr) -> Expr:
        if found.scale is not None:
            value = AT.binary(BinaryOp.MUL, value, as_kind(laned(writer, found.scale), found.dtype))
        if found.mean:
            value = AT.binary(BinaryOp.DIV, value, Const(float(self.count(found.over)), F32, None))
        return value

    def store(self, writer: FixedWriter, name: str) -> None:
        tensor = writer.space.tensors[name]
        stage = writer.space.spec.stage_of(name)
        bounds = stage.targets[0].bounds if stage is not None else ()
        value = writer.held[name][0]
        if self.lane is None:
            places = [writer.places[b.name] for b in bounds]
            writer.store(writer.buffer(tensor), writer.flat(places, tensor.axes), value)
            return
        at = quad_place(writer, Read(name, tuple(Index(b.name) for b in bounds)))
        writer.store(writer.buffer(tensor), at, AT.convert(splat(value), Vector(LANES, STORED[tensor.dtype])))
