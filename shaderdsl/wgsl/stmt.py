"""Statements as lines of WGSL, each with the Python place that it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from shaderdsl.errors import InternalError
from shaderdsl.ir.expr import Const, Load, Slot, root_of
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
from shaderdsl.source import Loc
from shaderdsl.wgsl.expr import ARITHMETIC, ExprWriter
from shaderdsl.wgsl.names import Names
from shaderdsl.wgsl.spelling import type_text

INDENT = "  "


@dataclass(slots=True)
class Lines:
    """Text so far: lines with their places, at the current depth."""

    lines: list[tuple[str, Loc | None]] = field(default_factory=list[tuple[str, Loc | None]])
    depth: int = 0

    def add(self, text: str, loc: Loc | None = None) -> None:
        self.lines.append((INDENT * self.depth + text if text else "", loc))


@dataclass(frozen=True, slots=True)
class StmtWriter:
    """Writes blocks to `lines`, naming slots and variables as they come into scope."""

    names: Names
    lines: Lines
    exprs: ExprWriter

    def block(self, block: Block) -> None:
        """The statements of a block, one deeper, in a scope of their own."""
        self.lines.depth += 1
        self.names.open()
        for stmt in block:
            self.stmt(stmt)
        self.names.close()
        self.lines.depth -= 1

    def stmt(self, stmt: Stmt) -> None:
        text, add = self.exprs.text, self.lines.add
        match stmt:
            case Let(slot, value, loc):
                expr = text(value)
                add(f"let {self.slot(slot, hint_of(stmt))} = {expr};", loc)
            case Declare():
                self.declare(stmt)
            case Store(place, value, loc):
                add(f"{self.exprs.place(place)} = {text(value)};", loc)
            case If():
                self.branch(stmt)
            case Range():
                self.range(stmt)
            case Loop(body, loc):
                add("loop {", loc)
                self.block(body)
                add("}")
            case Break(loc):
                add("break;", loc)
            case Continue(loc):
                add("continue;", loc)
            case Return(value, loc):
                add("return;" if value is None else f"return {text(value)};", loc)
            case Barrier(kind, loc):
                add(f"{kind.value}();", loc)
            case UniformLoad(slot, place, loc):
                self.result(slot, f"workgroupUniformLoad(&{self.exprs.place(place)})", "shared_value", loc)
            case AtomicCall(slot, op, place, values, loc):
                arguments = "".join(f", {self.exprs.argument(v)}" for v in values)
                self.result(slot, f"{op.value}(&{self.exprs.place(place)}{arguments})", "old", loc)
            case CallFunction(slot, function, arguments, loc):
                call = f"{self.names.of(function)}({self.exprs.arguments(arguments)})"
                self.result(slot, call, function.name + "_value", loc)
            case Collective() | Print() | Assert():
                raise InternalError(f"{type(stmt).__name__} is lowered before it is written")
            case _:
                assert_never(stmt)

    def declare(self, stmt: Declare) -> None:
        """A variable with its first value, or its type and zero."""
        start = f" = {self.exprs.text(stmt.initial)}" if stmt.initial is not None else ""
        name = self.names.define(stmt.variable, stmt.variable.name)
        kind = "" if start else f": {type_text(stmt.variable.type, self.names)}"
        self.lines.add(f"var {name}{kind}{start};", stmt.loc)

    def slot(self, slot: Slot, hint: str) -> str:
        return self.names.define(slot, slot.name or hint)

    def result(self, slot: Slot | None, call: str, hint: str, loc: Loc | None) -> None:
        """A call whose result is bound, or dropped."""
        self.lines.add(f"{call};" if slot is None else f"let {self.slot(slot, hint)} = {call};", loc)

    def branch(self, stmt: If) -> None:
        """An if/else-if chain, flat."""
        opening = "if"
        while True:
            self.lines.add(f"{opening} ({self.exprs.text(stmt.condition)}) {{", stmt.loc)
            self.block(stmt.then)
            match stmt.orelse:
                case ():
                    break
                case (If() as following,):
                    stmt, opening = following, "} else if"
                case orelse:
                    self.lines.add("} else {")
                    self.block(orelse)
                    break
        self.lines.add("}")

    def range(self, stmt: Range) -> None:
        start, step = self.exprs.text(stmt.start), self.exprs.text(stmt.step)
        stop = self.exprs.operand(stmt.stop, ARITHMETIC)
        down = isinstance(stmt.step, Const) and stmt.step.value < 0
        self.names.open()
        name = self.slot(stmt.slot, "i")
        advance = f"{name} -= {step[1:]}" if down and step.startswith("-") else f"{name} += {step}"
        self.lines.add(f"for (var {name} = {start}; {name} {'>' if down else '<'} {stop}; {advance}) {{", stmt.loc)
        self.block(stmt.body)
        self.names.close()
        self.lines.add("}")


def hint_of(stmt: Let) -> str:
    """A name for a value that the user did not name: after what it loads, else `t`."""
    if isinstance(stmt.value, Load):
        return f"{root_of(stmt.value.place).name}_value"
    return "t"
