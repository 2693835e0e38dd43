"""Statements as lines of text, one a line, blocks indented; a list of open work stands for recursion.

for %i: u32 in range(0u, param.n, 1u)
  @y[%i] = 0.0f
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never

from shaderdsl.ir.expr import Expr, Slot
from shaderdsl.ir.expr_text import ExprText
from shaderdsl.ir.stmt import (
    Assert,
    AtomicCall,
    Barrier,
    Block,
    Break,
    CallFunction,
    Collective,
    Continue,
    Declare,
    If,
    Let,
    Loop,
    Print,
    Range,
    Return,
    Stmt,
    Store,
    UniformLoad,
)
from shaderdsl.ir.walk import blocks

INDENT = "  "
Work: TypeAlias = tuple[int, str, Stmt | None]
"""A depth, a word and the statement that it begins; a word alone is a whole line."""


def block_lines(block: Block, exprs: ExprText) -> list[str]:
    """The lines of a block, one level in."""
    lines: list[str] = []
    work: list[Work] = list(reversed(list(at_depth(1, block))))
    while work:
        depth, word, stmt = work.pop()
        line = word if stmt is None else head_text(word, stmt, exprs)
        lines.append(INDENT * depth + line)
        if stmt is not None:
            work += reversed(list(inside(depth, stmt)))
    return lines


def at_depth(depth: int, block: Block) -> Iterator[Work]:
    for stmt in block:
        yield depth, "if" if isinstance(stmt, If) else "", stmt


def inside(depth: int, stmt: Stmt) -> Iterator[Work]:
    """What follows a statement's first line; an `else` that holds one `if` alone is an `elif`."""
    if not isinstance(stmt, If):
        for block in blocks(stmt):
            yield from at_depth(depth + 1, block)
        return
    yield from at_depth(depth + 1, stmt.then)
    match stmt.orelse:
        case ():
            return
        case (If() as following,):
            yield depth, "elif", following
        case orelse:
            yield depth, "else", None
            yield from at_depth(depth + 1, orelse)


def head_text(word: str, stmt: Stmt, exprs: ExprText) -> str:
    """A statement's first line."""
    text, names = exprs.text, exprs.names
    match stmt:
        case Let(slot, value):
            return result(slot, text(value), exprs)
        case Declare(variable, initial):
            start = "" if initial is None else f" = {text(initial)}"
            return f"var {names.variable(variable)}: {names.type(variable.type)}{start}"
        case Store(place, value):
            return f"{exprs.place(place)} = {text(value)}"
        case If(condition):
            return f"{word} {text(condition)}"
        case Range(slot, start, stop, step):
            bounds = arguments((start, stop, step), exprs)
            return f"for {names.slot(slot)}: {names.type(slot.type)} in range({bounds})"
        case Loop():
            return "loop"
        case Break():
            return "break"
        case Continue():
            return "continue"
        case Return(value):
            return "return" if value is None else f"return {text(value)}"
        case Barrier(kind):
            return f"{kind.value}()"
        case UniformLoad(slot, place):
            return result(slot, f"workgroupUniformLoad({exprs.place(place)})", exprs)
        case AtomicCall(slot, op, place, values):
            given = "".join(f", {text(v)}" for v in values)
            return result(slot, f"{op.value}({exprs.place(place)}{given})", exprs)
        case CallFunction(slot, function, values):
            return result(slot, f"{names.function(function)}({arguments(values, exprs)})", exprs)
        case Collective(slot, op, operand, lane):
            values = (operand,) if lane is None else (operand, lane)
            return result(slot, f"{op.value}({arguments(values, exprs)})", exprs)
        case Print(format, values):
            return f"print {', '.join([repr(format), *map(text, values)])}"
        case Assert(condition, message):
            return f"assert {text(condition)}, {message!r}"
        case _:
            assert_never(stmt)


def arguments(values: Iterable[Expr], exprs: ExprText) -> str:
    return ", ".join(map(exprs.text, values))


def result(slot: Slot | None, value: str, exprs: ExprText) -> str:
    """A value bound to a slot, with its type, or dropped."""
    return value if slot is None else f"{exprs.names.slot(slot)}: {exprs.names.type(slot.type)} = {value}"
