"""Walks: operands and expressions in order, rewrites that keep what did not change, blocks, any depth."""

from __future__ import annotations

from typing import get_args

import pytest

from codegen_tests.ir.test_text import EXPRESSIONS, STATEMENTS
from shaderdsl.ir import build
from shaderdsl.ir import expr as exprs
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Load, Read, Slot, Variable, Whole, root_of
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import AtomicCall, AtomicOp, Block, Break, Function, If, Let, Loop, Range, Stmt, Store
from shaderdsl.ir.types import F32, U32, Array, Atomic, Member, Struct, Vector
from shaderdsl.ir.walk import (
    blocks,
    defined,
    expressions,
    indices,
    operands,
    slots_read,
    statements,
    subexpressions,
    with_blocks,
    with_expressions,
    with_indices,
    with_operands,
    written_place,
)

A, B, ROW, COLUMN = Slot("a", F32), Slot("b", F32), Slot("i", U32), Slot("j", U32)
PAIR = Struct("Pair", (Member("left", Vector(3, F32)), Member("right", F32)))
MEMORY = Variable("m", Array(PAIR, 4), AddressSpace.PRIVATE, None)
BINS = Variable("bins", Array(Atomic(U32), 4), AddressSpace.WORKGROUP, None)


def read(slot: Slot) -> Read:
    return Read(slot, slot.type, None)


def nested() -> exprs.Place:
    """`m[i].left[j]`"""
    member = build.member_of(build.element_of(Whole(MEMORY, MEMORY.type), read(ROW), None), "left", None)
    return build.element_of(member, read(COLUMN), None)


@pytest.mark.parametrize(("expr", "text"), EXPRESSIONS, ids=[t for _, t in EXPRESSIONS])
def test_every_expression_is_rebuilt_from_its_operands(expr: Expr, text: str) -> None:
    """Rewriting nothing gives the node itself; rewriting an operand gives a new node with the new operand."""
    del text
    assert with_operands(expr, lambda e: e) is expr
    under = operands(expr)
    seen: list[Expr] = []

    def replaced(operand: Expr) -> Expr:
        seen.append(operand)
        return Read(Slot("new", operand.type), operand.type, None)

    changed = with_operands(expr, replaced)
    assert tuple(seen) == under
    if under:
        assert changed is not expr
        assert [type(o) for o in operands(changed)] == [Read] * len(under)
        assert changed.type == expr.type
        assert operands(expr) == under


@pytest.mark.parametrize(("stmt", "lines"), STATEMENTS, ids=[" ".join(t) for _, t in STATEMENTS])
def test_every_statement_is_rebuilt_from_its_expressions(stmt: Stmt, lines: list[str]) -> None:
    del lines
    own = expressions(stmt)
    seen: list[Expr] = []

    def replaced(expr: Expr) -> Expr:
        seen.append(expr)
        return Read(Slot("new", expr.type), expr.type, None)

    changed = with_expressions(stmt, replaced)
    assert tuple(seen) == own
    assert type(changed) is type(stmt)
    assert [type(e) for e in expressions(changed)] == [Read] * len(own)
    assert expressions(stmt) == own
    assert blocks(changed) == blocks(stmt)


@pytest.mark.parametrize(("stmt", "lines"), STATEMENTS, ids=[" ".join(t) for _, t in STATEMENTS])
def test_every_statement_is_rebuilt_from_its_blocks(stmt: Stmt, lines: list[str]) -> None:
    del lines
    inner = blocks(stmt)
    changed = with_blocks(stmt, lambda _: (Break(None),))
    assert len(blocks(changed)) == len(inner)
    assert all(len(b) == 1 and isinstance(b[0], Break) for b in blocks(changed))
    assert expressions(changed) == expressions(stmt)
    assert inner or changed is stmt


def test_indices_come_outermost_first_and_are_rewritten() -> None:
    place = nested()
    assert [i.slot for i in indices(place) if isinstance(i, Read)] == [ROW, COLUMN]
    assert with_indices(place, lambda e: e) is place
    fresh = build.constant_index(1)
    changed = with_indices(place, lambda _: fresh)
    assert indices(changed) == [fresh, fresh]
    assert root_of(changed) is MEMORY
    assert changed.type == place.type == F32


def test_a_store_reads_its_indices_then_its_value() -> None:
    store = Store(nested(), read(A), None)
    assert list(slots_read(store)) == [ROW, COLUMN, A]
    assert written_place(store) is store.place


def test_slots_are_counted_once_for_each_time() -> None:
    twice = build.binary(BinaryOp.ADD, read(A), build.binary(BinaryOp.MUL, read(A), read(B), None), None)
    assert sorted(s.name or "" for s in slots_read(Let(Slot("c", F32), twice, None))) == ["a", "a", "b"]


def test_what_statements_define_and_write() -> None:
    place = build.element_of(Whole(BINS, BINS.type), read(ROW), None)
    call = AtomicCall(COLUMN, AtomicOp.ADD, place, (read(ROW),), None)
    assert defined(call) is COLUMN
    assert written_place(call) is place
    assert defined(Range(ROW, read(COLUMN), read(COLUMN), read(COLUMN), (), None)) is None
    assert written_place(Let(A, Load(nested(), F32, None), None)) is None
    helper = Function("f", (), None, (Store(nested(), read(A), None),), pure=False, loc=None)
    assert helper.body[0] in set(statements(helper.body))


def test_statements_come_in_program_order() -> None:
    yes = Read(Slot("c", exprs.U32), exprs.U32, None)
    lets = [Let(Slot(str(n), F32), Const(float(n), F32, None), None) for n in range(6)]
    block: Block = (
        lets[0],
        If(yes, (lets[1], Loop((lets[2],), None)), (lets[3],), None),
        Range(ROW, yes, yes, yes, (lets[4],), None),
        lets[5],
    )
    found = [s.slot.name for s in statements(block) if isinstance(s, Let)]
    assert found == ["0", "1", "2", "3", "4", "5"]
    assert sum(1 for _ in statements(block)) == 9


def test_depth_is_no_matter() -> None:
    deep: Expr = read(A)
    for _ in range(20_000):
        deep = build.binary(BinaryOp.ADD, deep, read(B), None)
    assert sum(1 for _ in subexpressions(deep)) == 40_001
    stmt: Stmt = Let(Slot("c", F32), deep, None)
    for _ in range(5_000):
        stmt = Loop((stmt,), None)
    assert sum(1 for _ in statements((stmt,))) == 5_001


def test_every_place_has_a_root() -> None:
    assert {type(p).__name__ for p in (nested(), Whole(MEMORY, MEMORY.type))} <= {
        c.__name__ for c in get_args(exprs.Place)
    }
    assert root_of(nested()) is MEMORY
