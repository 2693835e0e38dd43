"""A factor of a contraction on its way to shared memory: four neighbours along the tile at a time, whatever way memory has them.

    ALONG_TILE      vec4 as memory has it                              x[i, m], m along the tile
    ALONG_SUM       four vec4 along the sum, turned in registers       x[m, i]
    ONE_BY_ONE      four scalars                                       rows whose length is no multiple of 4

Each element of shared memory is a vec4 that one invocation writes as a whole: a store to a component of a shared vector may touch its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, Variable
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import U32, Vector
from shaderdsl.schedule.fixed import LANES, FixedWriter, lane_number
from shaderdsl.schedule.lanes import as_kind, component, laned, splat
from shaderdsl.schedule.step import TYPES
from shaderdsl.schedule.values import literal
from shaderdsl.schedule.writer import AT
from shaderdsl.spec.axes import walk
from shaderdsl.spec.notation import Dtype, Index, Read, Scalar


class Way(Enum):
    ALONG_TILE = "along the tile"
    ALONG_SUM = "along the sum"
    ONE_BY_ONE = "one by one"


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor with the output indices that are its own and those that are summed over. lane: along which vec4 are read."""

    value: Scalar
    own: tuple[str, ...]
    over: tuple[str, ...]
    dtype: Dtype
    extents: Mapping[str, int]
    lane: str | None = None

    @property
    def way(self) -> Way:
        if self.lane is None:
            return Way.ONE_BY_ONE
        return Way.ALONG_TILE if self.lane == self.own[-1] else Way.ALONG_SUM

    @property
    def length(self) -> int:
        """Along the tile."""
        return math.prod(self.extents[n] for n in self.own)

    @property
    def terms(self) -> int:
        return math.prod(self.extents[n] for n in self.over)

    @property
    def wanted_lane(self) -> str | None:
        """The index along which memory has most of what is read, if it comes in fours."""
        reads = [p for p in walk(self.value) if isinstance(p, Read) and p.indices]
        reads.sort(key=lambda r: -len({p.name for i in r.indices for p in walk(i) if isinstance(p, Index)}))
        for read in reads:
            last = {p.name for p in walk(read.indices[-1]) if isinstance(p, Index)}
            for name in (self.own[-1], self.over[-1]):
                if name in last and self.extents[name] % LANES == 0:
                    return name
        return None

    @property
    def sum_first(self) -> bool:
        """Whether neighbours in memory lie along the sum."""
        reads = [p for p in walk(self.value) if isinstance(p, Read) and p.indices]
        names = {p.name for r in reads for p in walk(r.indices[-1]) if isinstance(p, Index)}
        return bool(names & {*self.over}) and not names & {*self.own}


@dataclass(frozen=True, slots=True)
class Piece:
    """What one invocation loads at a time: a place in the tile in units of four, and the place along the sum within a slice of it."""

    quad: Expr
    term: Expr
    own: tuple[Mapping[str, Expr], ...]
    own_quad: Expr | None
    stored: Expr | None


@dataclass(slots=True, eq=False)
class Loader:
    """Loads slices of a factor and stores them in `shared`: depth x width elements, four along the width each."""

    writer: FixedWriter
    factor: Factor
    shared: Variable
    width: int
    depth: int
    threads: int
    first: Expr
    from_end: bool = False
    pieces: list[Piece] = field(default_factory=list[Piece])

    @property
    def along_sum(self) -> bool:
        return self.factor.way is Way.ALONG_SUM

    @property
    def count(self) -> int:
        """Pieces of a slice."""
        return self.width // LANES * self.depth // (LANES if self.along_sum else 1)

    def open(self) -> None:
        """Which pieces this invocation loads, and their places along the tile."""
        for number in range(-(-self.count // self.threads)):
            self.pieces.append(self.piece(number))

    def piece(self, number: int) -> Piece:
        writer, base = self.writer, number * self.threads
        place = plus(self.loading(), base)
        stored = None
        if base + self.threads > self.count:
            stored = writer.trace.let(AT.binary(BinaryOp.LT, place, Const(self.count, U32, None)), None, name="loads")
            place = AT.call(Builtin.MIN, place, Const(self.count - 1, U32, None))
        slices = self.depth // (LANES if self.along_sum else 1)
        quads = self.width // LANES
        if self.factor.sum_first or self.along_sum:
            term, quad = remainder(place, slices), quotient(place, slices)
        else:
            term, quad = quotient(place, quads), remainder(place, quads)
        quad = writer.trace.let(quad, None, name="quad")
        term = writer.trace.let(term, None, name="term")
        own, own_quad = self.along_tile(quad)
        return Piece(quad, term, own, own_quad, stored)

    def loading(self) -> Expr:
        """The number of this invocation among those that load: from the last one on, where the other factor has the first ones busy."""
        if not self.from_end or self.count >= self.threads:
            return lane_number()
        return AT.binary(BinaryOp.SUB, Const(self.threads - 1, U32, None), lane_number())

    def along_tile(self, quad: Expr) -> tuple[tuple[Mapping[str, Expr], ...], Expr | None]:
        """The places of the factor's own indices: of a vec4, or of each of four elements."""
        writer, factor = self.writer, self.factor
        first = AT.binary(BinaryOp.ADD, self.first, times(quad, LANES))
        ragged = factor.length % self.width != 0
        if factor.way is Way.ALONG_TILE:
            number = quotient(first, LANES) if ragged else AT.binary(BinaryOp.ADD, quotient(self.first, LANES), quad)
            if ragged:
                number = AT.call(Builtin.MIN, number, Const(factor.length // LANES - 1, U32, None))
            places, at = quad_places(writer, number, factor.own, factor.extents)
            return (places,), at
        found: list[Mapping[str, Expr]] = []
        for step in range(LANES):
            place = plus(first, step)
            if ragged:
                place = AT.call(Builtin.MIN, place, Const(factor.length - 1, U32, None))
            found.append(places_of(writer, place, factor.own))
        return tuple(found), None

    def fetch(self, start: Expr) -> list[list[Expr]]:
        """The vec4 of each piece of the slice that begins at a term of the sum."""
        outer = self.writer.known, self.writer.signed, self.writer.places, self.writer.lane, self.writer.quad
        found = [self.fetched(p, start) for p in self.pieces]
        self.writer.known, self.writer.signed, self.writer.places, self.writer.lane, self.writer.quad = outer
        return found

    def fetched(self, piece: Piece, start: Expr) -> list[Expr]:
        writer, factor = self.writer, self.factor
        unit = LANES if self.along_sum else 1
        number = total(quotient(start, unit), piece.term)
        inside = None
        if factor.terms % self.depth:
            inside = AT.binary(BinaryOp.LT, number, Const(factor.terms // unit, U32, None))
            number = AT.call(Builtin.MIN, number, Const(factor.terms // unit - 1, U32, None))
        outer = writer.places
        if self.along_sum:
            over, over_quad = quad_places(writer, number, factor.over, factor.extents)
        else:
            over, over_quad = places_of(writer, number, factor.over), None
        parts: list[Expr] = []
        for own in piece.own:
            writer.known, writer.signed = {}, {}
            writer.places = {**outer, **over, **own}
            writer.lane, writer.quad = factor.lane, over_quad if self.along_sum else piece.own_quad
            parts.append(as_kind(laned(writer, factor.value), factor.dtype))
        writer.places = outer
        return self.turned(parts, inside)

    def kept(self, value: Expr) -> Expr:
        """A value that is loaded here, under a name: what has none may move to where it is stored, after the arithmetic."""
        return self.writer.trace.let(value, None, name=f"{self.shared.name}_next")

    def turned(self, parts: Sequence[Expr], inside: Expr | None) -> list[Expr]:
        """Vectors along the tile, zero beyond the sum."""
        kind, none = Vector(LANES, TYPES[self.factor.dtype]), splat(literal(0, self.factor.dtype))
        match self.factor.way:
            case Way.ALONG_TILE:
                found = [splat(parts[0])]
            case Way.ALONG_SUM:
                whole = [self.kept(splat(p)) for p in parts]
                turned = [build.construct(kind, [component(p, n) for p in whole], None) for n in range(LANES)]
                return [t if inside is None else AT.call(Builtin.SELECT, none, t, inside) for t in turned]
            case Way.ONE_BY_ONE:
                found = [build.construct(kind, list(parts), None)]
        if inside is None:
            return [self.kept(f) for f in found]
        return [self.kept(AT.call(Builtin.SELECT, none, f, inside)) for f in found]

    def store(self, values: Sequence[Sequence[Expr]], base: Expr) -> None:
        """Write a slice to shared memory, from an offset on."""
        for piece, vectors in zip(self.pieces, values):
            if piece.stored is None:
                self.store_piece(piece, vectors, base)
                continue
            with self.writer.when(piece.stored):
                self.store_piece(piece, vectors, base)

    def store_piece(self, piece: Piece, vectors: Sequence[Expr], base: Expr) -> None:
        quads = self.width // LANES
        term = times(piece.term, LANES) if self.along_sum else piece.term
        at = total(base, AT.binary(BinaryOp.ADD, times(term, quads), piece.quad))
        for number, vector in enumerate(vectors):
            self.writer.store(self.shared, plus(at, number * quads), vector)


def places_of(writer: FixedWriter, number: Expr, names: Sequence[str]) -> dict[str, Expr]:
    """The places of indices from the number of a point among them."""
    outer = writer.places
    writer.places = {}
    writer.unflattened(number, names)
    found, writer.places = writer.places, outer
    return found


def quad_places(
    writer: FixedWriter, number: Expr, names: Sequence[str], extents: Mapping[str, int]
) -> tuple[dict[str, Expr], Expr]:
    """The places of indices from the number of four neighbours among them, and the place along the last index in units of four."""
    last = extents[names[-1]] // LANES
    if all(extents[n] == 1 for n in names[:-1]):
        found, quad = {n: Const(0, U32, None) for n in names[:-1]}, number
    else:
        quad = writer.trace.let(remainder(number, last), None)
        found = places_of(writer, quotient(number, last), names[:-1])
    return {**found, names[-1]: times(quad, LANES)}, quad


def total(place: Expr, step: Expr) -> Expr:
    """A sum without the terms that are 0."""
    if isinstance(place, Const) and place.value == 0:
        return step
    return place if isinstance(step, Const) and step.value == 0 else AT.binary(BinaryOp.ADD, place, step)


def plus(place: Expr, step: int) -> Expr:
    return AT.binary(BinaryOp.ADD, place, Const(step, U32, None)) if step else place


def times(place: Expr, factor: int) -> Expr:
    if isinstance(place, Const):
        return Const(int(place.value) * factor, U32, None)
    return place if factor == 1 else AT.binary(BinaryOp.MUL, place, Const(factor, U32, None))


def quotient(place: Expr, divisor: int) -> Expr:
    if isinstance(place, Const):
        return Const(int(place.value) // divisor, U32, None)
    return place if divisor == 1 else AT.binary(BinaryOp.DIV, place, Const(divisor, U32, None))


def remainder(place: Expr, divisor: int) -> Expr:
    return Const(0, U32, None) if divisor == 1 else AT.binary(BinaryOp.REM, place, Const(divisor, U32, None))
