"""Faults to plant in passes, emitter, interpreter and host, one at a time. None of them can make a program run for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from shaderdsl import execute
from shaderdsl.analysis.effects import Effects, own_effects, union
from shaderdsl.interp import places, run
from shaderdsl.interp.lanes import Lanes, Mask
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Binary, Bitcast, Call, Const, Convert, Expr, Slot, Swizzle, Unary
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import (
    AtomicCall,
    Barrier,
    Block,
    CallFunction,
    If,
    Return,
    Stmt,
    Store,
    UniformLoad,
)
from shaderdsl.ir.types import F32, I32, Type
from shaderdsl.ir.walk import blocks, statements
from shaderdsl.passes import collectives, dead_code, snapshots
from shaderdsl.source import Loc
from shaderdsl.wgsl import expr as expr_module
from shaderdsl.wgsl import spelling
from shaderdsl.wgsl import stmt as stmt_module
from shaderdsl.wgsl.expr import OPERANDS, ExprWriter, Form
from shaderdsl.wgsl.names import Names
from shaderdsl.wgsl.stmt import Lines, StmtWriter

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and how to make it so."""

    name: str
    plant: Plant


# Snapshots: a Let moves past what changes its value.


def blind_to(kind: type[Stmt]) -> Plant:
    """The pass does not see the effects of one kind of statement."""

    def effects_of(stmt: Stmt) -> Effects:
        everything = [stmt, *(s for block in blocks(stmt) for s in statements(block))]
        return union([own_effects(s) for s in everything if not isinstance(s, kind)])

    return lambda patch: patch.setattr(snapshots, "effects_of", effects_of)


def blind_to_blocks(patch: Patch) -> None:
    patch.setattr(snapshots, "effects_of", own_effects)


def loads_in_bounds(patch: Patch) -> None:
    """A loop's stop and step may load, so they are read anew in every turn."""

    def rewrite(stmt: Stmt, window: snapshots.Window) -> tuple[Stmt, snapshots.Inlining]:
        last = snapshots.Inlining(window, loads_allowed=True)

        def one(expr: Expr) -> Expr:
            nonlocal last
            last = snapshots.Inlining(window, loads_allowed=True)
            return last.rebuild(expr)

        return snapshots.with_expressions(stmt, one), last

    patch.setattr(snapshots, "rewrite", rewrite)


def counted_once(patch: Patch) -> None:
    """Every value is taken for one that is read once."""
    true_counts = snapshots.read_counts

    def all_once(block: Block) -> Counter[Slot]:
        return Counter(dict.fromkeys(true_counts(block), 1))

    patch.setattr(snapshots, "read_counts", all_once)


# Dead code.


def dropping(kind: type[Stmt]) -> Plant:
    """A statement whose result is not read goes, whatever else it does."""
    true_keep = dead_code.keep

    def keep(stmt: Stmt, read: set[Slot]) -> Stmt | None:
        if isinstance(stmt, kind) and isinstance(stmt, AtomicCall | CallFunction) and stmt.slot not in read:
            return None
        return true_keep(stmt, read)

    return lambda patch: patch.setattr(dead_code, "keep", keep)


def wide_stride(patch: Patch) -> None:
    """Scans triple their stride."""
    true_scan = collectives.Writer.scan

    def const(value: Any, type: Type, loc: Loc | None) -> Const:
        return Const(3 if value == 2 else value, type, loc)

    def scan(self: collectives.Writer, *, exclusive: bool) -> Block:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(collectives, "Const", const)
            return true_scan(self, exclusive=exclusive)

    patch.setattr(collectives.Writer, "scan", scan)


# Expressions in the text.


def written_as(change: Callable[[Expr], Expr]) -> Plant:
    """Each expression is changed before it is written."""
    true_write = ExprWriter.write

    def write(self: ExprWriter, expr: Expr) -> tuple[str, Form]:
        return true_write(self, change(expr))

    return lambda patch: patch.setattr(ExprWriter, "write", write)


def swapped(expr: Expr) -> Expr:
    if isinstance(expr, Binary) and expr.op is BinaryOp.SUB:
        return replace(expr, left=expr.right, right=expr.left)
    return expr


def strict(expr: Expr) -> Expr:
    return replace(expr, op=BinaryOp.LT) if isinstance(expr, Binary) and expr.op is BinaryOp.LE else expr


def reversed_swizzle(expr: Expr) -> Expr:
    return replace(expr, components=expr.components[::-1]) if isinstance(expr, Swizzle) else expr


def reversed_select(expr: Expr) -> Expr:
    if isinstance(expr, Call) and expr.builtin is Builtin.SELECT:
        first, second, condition = expr.arguments
        return replace(expr, arguments=(second, first, condition))
    return expr


def bits_for_value(expr: Expr) -> Expr:
    if isinstance(expr, Convert) and expr.type == I32 and expr.operand.type == F32:
        return Bitcast(expr.operand, expr.type, expr.loc)
    return expr


def bare(form: Form, side: int) -> Plant:
    """Sums stand without parentheses on one side of an operator."""
    allowed = list(OPERANDS[form])
    allowed[side] = allowed[side] | {Form.ADDITIVE}
    return lambda patch: patch.setitem(OPERANDS, form, (allowed[0], allowed[1]))


def bare_unary(patch: Patch) -> None:
    true_write = ExprWriter.write

    def write(self: ExprWriter, expr: Expr) -> tuple[str, Form]:
        if isinstance(expr, Unary) and isinstance(expr.operand, Binary):
            return f"{expr.op.value}{self.text(expr.operand)}", Form.UNARY
        return true_write(self, expr)

    patch.setattr(expr_module.ExprWriter, "write", write)


def rounded_literals(patch: Patch) -> None:
    true_format = spelling.format_scalar

    def format_scalar(value: bool | int | float, type: Any) -> str:
        return f"{value:.2f}f" if isinstance(value, float) else true_format(value, type)

    patch.setattr(spelling, "format_scalar", format_scalar)


# Statements in the text.


def without(kind: type[Stmt]) -> Plant:
    """Statements of one kind are not written."""
    true_stmt = StmtWriter.stmt

    def stmt(self: StmtWriter, stmt: Stmt) -> None:
        if not isinstance(stmt, kind):
            true_stmt(self, stmt)

    return lambda patch: patch.setattr(StmtWriter, "stmt", stmt)


def without_guard(patch: Patch) -> None:
    """Branches that only return are not written: invocations beyond the domain go on."""
    true_stmt = StmtWriter.stmt

    def stmt(self: StmtWriter, stmt: Stmt) -> None:
        if not (isinstance(stmt, If) and len(stmt.then) == 1 and isinstance(stmt.then[0], Return)):
            true_stmt(self, stmt)

    patch.setattr(StmtWriter, "stmt", stmt)


def plain_uniform_load(patch: Patch) -> None:
    """workgroupUniformLoad is written as a load, without its barriers."""
    true_stmt = StmtWriter.stmt

    def stmt(self: StmtWriter, stmt: Stmt) -> None:
        if isinstance(stmt, UniformLoad):
            self.result(stmt.slot, self.exprs.place(stmt.place), "shared_value", stmt.loc)
        else:
            true_stmt(self, stmt)

    patch.setattr(StmtWriter, "stmt", stmt)


def without_else(patch: Patch) -> None:
    true_branch = StmtWriter.branch

    def branch(self: StmtWriter, stmt: If) -> None:
        true_branch(self, replace(stmt, orelse=()))

    patch.setattr(StmtWriter, "branch", branch)


def line(change: Callable[[str], list[str]]) -> Plant:
    """Lines are changed as they are written."""
    true_add = Lines.add

    def add(self: Lines, text: str, loc: Loc | None = None) -> None:
        for changed in change(text):
            true_add(self, changed, loc)

    return lambda patch: patch.setattr(stmt_module.Lines, "add", add)


def one_turn_more(text: str) -> list[str]:
    return [text.replace(" < ", " <= ", 1) if text.startswith("for (") else text]


def shorter_step(text: str) -> list[str]:
    return [text.replace("-= 3i", "-= 1i").replace("+= 3i", "+= 1i") if text.startswith("for (") else text]


def broken_chain(text: str) -> list[str]:
    return ["}", text.removeprefix("} else ")] if text.startswith("} else if") else [text]


def break_for_continue(text: str) -> list[str]:
    return ["break;" if text == "continue;" else text]


def shadowing(patch: Patch) -> None:
    """A name is only kept unique in its own block."""
    patch.setattr(Names, "taken", lambda self, name: name in self.scopes[-1].taken)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType, reportUnknownMemberType]


# Interpreter and host.


def unmasked_store(patch: Patch) -> None:
    """Lanes that are not active store too."""
    true_store = places.store

    def store(lanes: Lanes, target: places.Target, value: Any, mask: Mask) -> None:
        true_store(lanes, target, value, np.ones_like(mask))

    patch.setattr(places, "store", store)


def else_for_all(patch: Patch) -> None:
    def branch(self: run.Runner, stmt: If, mask: Mask, flow: run.Flow) -> Mask:
        condition = np.broadcast_to(self.value(stmt.condition), mask.shape)
        after = self.block(stmt.then, mask & condition, flow)
        self.block(stmt.orelse, mask, run.Flow(list(flow.broken), list(flow.continued)))
        return after | (mask & ~condition)

    patch.setattr(run.Runner, "branch", branch)


def lost_continue(patch: Patch) -> None:
    """Lanes that continue do not come back."""

    def turn(self: run.Runner, body: Block, mask: Mask, flow: run.Flow) -> Mask:
        flow.continued.append(np.zeros_like(mask))
        after = self.block(body, mask, flow)
        flow.continued.pop()
        return after

    patch.setattr(run.Runner, "turn", turn)


def swapped_fields(patch: Patch) -> None:
    """The host packs the first two words of the uniform in the wrong order."""
    true_bytes = execute.uniform_bytes

    def uniform_bytes(kernel: Any, params: Any) -> bytes | None:
        content = true_bytes(kernel, params)
        return None if content is None else content[4:8] + content[:4] + content[8:]

    patch.setattr(execute, "uniform_bytes", uniform_bytes)


FAULTS = (
    Fault("a snapshot moves past a store", blind_to(Store)),
    Fault("a snapshot moves past a barrier", blind_to(Barrier)),
    Fault("a snapshot moves past a branch or loop", blind_to_blocks),
    Fault("a snapshot moves into a loop's bound", loads_in_bounds),
    Fault("a value is inlined twice", counted_once),
    Fault("dead code drops an atomic", dropping(AtomicCall)),
    Fault("dead code drops a call with a barrier", dropping(CallFunction)),
    Fault("a scan's stride is wrong", wide_stride),
    Fault("operands are swapped", written_as(swapped)),
    Fault("a comparison is strict", written_as(strict)),
    Fault("a swizzle is reversed", written_as(reversed_swizzle)),
    Fault("select's arguments are swapped", written_as(reversed_select)),
    Fault("a conversion takes the bits", written_as(bits_for_value)),
    Fault("a sum is bare beside a product", bare(Form.MULTIPLICATIVE, 1)),
    Fault("a sum is bare after a minus", bare(Form.ADDITIVE, 1)),
    Fault("a sign binds too tightly", bare_unary),
    Fault("literals are rounded", rounded_literals),
    Fault("barriers are not written", without(Barrier)),
    Fault("the guard is not written", without_guard),
    Fault("a uniform load has no barriers", plain_uniform_load),
    Fault("else is not written", without_else),
    Fault("a loop turns once more", line(one_turn_more)),
    Fault("a loop's step is wrong", line(shorter_step)),
    Fault("an else-if chain is broken", line(broken_chain)),
    Fault("continue becomes break", line(break_for_continue)),
    Fault("a name hides another", shadowing),
    Fault("the interpreter stores without a mask", unmasked_store),
    Fault("the interpreter runs else for all", else_for_all),
    Fault("the interpreter loses who continues", lost_continue),
    Fault("fields of the uniform are swapped", swapped_fields),
)
