"""Bools in shared memory travel as u32: naga's bools in workgroup memory are lost on NVIDIA's driver, and words are right everywhere.

var<workgroup> flags: array<bool, 64>;      var<workgroup> flags: array<u32, 64>;
flags[i] = c;                               flags[i] = u32(c);
let f = flags[j];                           let f = flags[j] != 0u;
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from shaderdsl.errors import InternalError
from shaderdsl.ir import build
from shaderdsl.ir.expr import (
    AddressSpace,
    Const,
    ElementOf,
    Expr,
    Load,
    MemberOf,
    Place,
    Read,
    Slot,
    Variable,
    Whole,
    root_of,
)
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import Block, Let, Stmt, Store, UniformLoad
from shaderdsl.ir.types import BOOL, U32, Array, Scalar, Struct, Type, Vector, mentions
from shaderdsl.ir.walk import with_blocks, with_expressions, with_indices, with_operands
from shaderdsl.passes.functions import on_blocks


def flags_as_words(kernel: Kernel) -> Kernel:
    """`kernel` without bools in workgroup memory."""
    words = {v: replace(v, type=word_type(v.type)) for v in kernel.shared if holds_flags(v)}
    if not words:
        return kernel
    rewriting = Rewriting(words)
    rewritten = on_blocks(kernel, rewriting.block)
    return replace(rewritten, shared=tuple(words.get(v, v) for v in kernel.shared))


def holds_flags(variable: Variable) -> bool:
    return variable.space is AddressSpace.WORKGROUP and mentions(variable.type, BOOL)


def word_type(type: Type) -> Type:
    """The type with u32 for bool."""
    match type:
        case Scalar():
            return U32 if type == BOOL else type
        case Vector(size, scalar):
            return Vector(size, U32) if scalar == BOOL else type
        case Array(element, count):
            return Array(word_type(element), count)
        case Struct():
            raise InternalError(f"{type} with a bool lies in shared memory")
        case _:
            return type


def zero(type: Type) -> Expr:
    """No flag set, in the form of `type`."""
    nothing = Const(0, U32, None)
    return nothing if isinstance(type, Scalar) else build.construct(type, [nothing], None)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """`words`: each variable of flags with the one that takes its place."""

    words: dict[Variable, Variable]

    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.stmt(stmt))

    def stmt(self, stmt: Stmt) -> list[Stmt]:
        stmt = with_blocks(with_expressions(stmt, self.expr), self.block)
        match stmt:
            case Store(place, value) if root_of(place) in self.words:
                moved = self.place(place)
                return [replace(stmt, place=moved, value=build.convert(value, moved.type, stmt.loc))]
            case UniformLoad(slot, place) if root_of(place) in self.words:
                moved = self.place(place)
                word = Slot(None, moved.type)
                test = build.binary(BinaryOp.NE, Read(word, moved.type, stmt.loc), zero(moved.type), stmt.loc)
                return [UniformLoad(word, moved, stmt.loc), Let(slot, test, stmt.loc)]
            case _:
                return [stmt]

    def expr(self, expr: Expr) -> Expr:
        expr = with_operands(expr, self.expr)
        if isinstance(expr, Load) and root_of(expr.place) in self.words:
            moved = self.place(expr.place)
            return build.binary(BinaryOp.NE, Load(moved, moved.type, expr.loc), zero(moved.type), expr.loc)
        return expr

    def place(self, place: Place) -> Place:
        """The same place in the words."""
        place = with_indices(place, self.expr)
        match place:
            case Whole(variable, type):
                return Whole(self.words[variable], word_type(type))
            case ElementOf(base, index, type):
                return ElementOf(self.place(base), index, word_type(type))
            case MemberOf(base, name, type):
                return MemberOf(self.place(base), name, word_type(type))
