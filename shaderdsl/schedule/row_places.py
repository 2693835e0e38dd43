"""Where an invocation stands in a row: the places of its pieces, and what is known at each of them."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import U32
from shaderdsl.schedule.fixed import LANES, FixedWriter, lane_number
from shaderdsl.schedule.group import Group
from shaderdsl.schedule.row_shape import Shape
from shaderdsl.schedule.writer import AT
from shaderdsl.spec.notation import Dtype


@dataclass(slots=True, eq=False)
class Piece:
    """What an invocation has of one piece: elements by tensor, and what was computed at its place."""

    held: dict[str, tuple[Expr, Dtype | None]]
    known: dict[str, tuple[Expr, Dtype | None]]
    signed: dict[str, Expr]
    places: dict[str, Expr] | None = None
    quad: Expr | None = None
    valid: Expr | None = None


@dataclass(slots=True, eq=False)
class Places:
    """A group's writer with the pieces that an invocation holds. valid: whether what was placed last lies inside its row, None where it always does."""

    group: Group
    writer: FixedWriter
    shape: Shape
    lane: str | None
    pieces: list[Piece] = field(default_factory=list[Piece])
    valid: Expr | None = None

    @property
    def lane_of_rows(self) -> bool:
        """Whether an invocation has four neighbouring rows, not four elements of one."""
        return self.lane is not None and self.lane in self.group.rows

    @property
    def lane_of_columns(self) -> bool:
        return self.lane is not None and not self.lane_of_rows

    def start_pieces(self) -> None:
        if self.shape.unrolled:
            self.pieces = [Piece({}, {}, {}) for _ in range(self.shape.pieces)]

    def place_quads(self, number: Expr, names: Sequence[str]) -> None:
        """The places of indices from the number of a vec4 among them."""
        writer = self.writer
        last = self.group.domain[names[-1]] // LANES
        outer = names[:-1]
        if math.prod(self.group.domain[n] for n in outer) == 1:
            writer.quad = number
            writer.places |= {n: Const(0, U32, None) for n in outer}
        else:
            size = Const(last, U32, None)
            writer.quad = writer.trace.let(AT.binary(BinaryOp.REM, number, size), None, name=f"{names[-1]}_quad")
            writer.unflattened(AT.binary(BinaryOp.DIV, number, size), outer)
        first = AT.binary(BinaryOp.MUL, writer.quad, Const(LANES, U32, None))
        writer.places[names[-1]] = writer.trace.let(first, None, name=names[-1])

    @contextmanager
    def at_piece(self, number: int) -> Generator[Expr | None]:
        """The writer at a piece, with what is known of it; gives whether it lies inside the row, None where it always does."""
        writer, piece = self.writer, self.pieces[number]
        outer = writer.held, writer.known, writer.signed
        places, quad, lane = dict(writer.places), writer.quad, writer.lane
        writer.held = {**outer[0], **piece.held}
        writer.known = ChainMap(piece.known, outer[1])  # pyright: ignore[reportAttributeAccessIssue]
        writer.signed = ChainMap(piece.signed, outer[2])  # pyright: ignore[reportAttributeAccessIssue]
        yield self.place_piece(number, piece)
        writer.held, writer.known, writer.signed = outer
        writer.places, writer.quad, writer.lane = places, quad, lane

    def place_piece(self, number: int, piece: Piece) -> Expr | None:
        """The places of a piece, once; whether it lies inside the row, None where it always does."""
        if self.group.swept is None:
            return None
        if piece.places is None:
            offset = number * self.shape.threads
            unit: Expr = Const(offset, U32, None)
            if self.shape.threads > 1:
                unit = lane_number() if not offset else AT.binary(BinaryOp.ADD, lane_number(), unit)
            self.place_unit(unit, offset)
            piece.places = {n: self.writer.places[n] for n in self.group.swept}
            piece.quad, piece.valid = self.writer.quad, self.valid
        self.writer.places |= piece.places
        self.writer.quad, self.writer.lane = piece.quad, self.lane
        return piece.valid

    def place_unit(self, unit: Expr, offset: int) -> None:
        """The places of the elements that an invocation takes in one piece; past the end it takes the last ones again."""
        writer, shape = self.writer, self.shape
        units = shape.columns // (shape.lanes if self.lane_of_columns else 1)
        names = self.group.swept or ()
        self.valid = None
        if offset + shape.threads > units:
            limit = Const(units, U32, None)
            self.valid = writer.trace.let(AT.binary(BinaryOp.LT, unit, limit), None)
            unit = AT.call(Builtin.MIN, unit, Const(units - 1, U32, None))
        writer.lane = self.lane
        if self.lane_of_columns:
            self.place_quads(unit, names)
        else:
            writer.unflattened(unit, names)

    @contextmanager
    def as_before(self) -> Generator[None]:
        """What the writer knows is afterwards what it was."""
        writer = self.writer
        held, known, signed = writer.held, writer.known, writer.signed
        places, quad, lane = dict(writer.places), writer.quad, writer.lane
        writer.held, writer.known, writer.signed = dict(held), dict(known), dict(signed)
        yield
        writer.held, writer.known, writer.signed = held, known, signed
        writer.places, writer.quad, writer.lane = places, quad, lane
