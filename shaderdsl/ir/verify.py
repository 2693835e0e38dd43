"""Whether a kernel is well formed: what every pass must leave behind.

fault(kernel) is None          # or what is wrong, for the InternalError that names the pass
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from shaderdsl.ir.expr import AddressSpace, Expr, Load, Place, Read, Slot, Variable, root_of
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import (
    AtomicCall,
    Block,
    Break,
    CallFunction,
    Continue,
    Declare,
    Function,
    If,
    Let,
    Loop,
    Range,
    Return,
    Stmt,
    Store,
    UniformLoad,
)
from shaderdsl.ir.types import BOOL, Atomic, Type
from shaderdsl.ir.walk import blocks, defined, expressions, subexpressions


def fault(kernel: Kernel) -> str | None:
    """The first thing that is wrong, or None."""
    outside = {b.variable for b in kernel.buffers} | set(kernel.shared)
    known: set[Function] = set()
    for function in kernel.functions:
        found = Checker(set(outside), set(function.parameters), known, function.result).block(function.body, loop=False)
        if found:
            return f"in {function.name}: {found}"
        known.add(function)
    return Checker(outside, set(), known, None).block(kernel.body, loop=False)


@dataclass(slots=True)
class Checker:
    """Walks blocks in order with what is visible; a slot is defined once."""

    variables: set[Variable]
    slots: set[Slot]
    functions: set[Function]
    result: Type | None
    everything: set[Slot] = field(default_factory=set[Slot])

    def block(self, block: Block, *, loop: bool) -> str | None:
        variables, slots = set(self.variables), set(self.slots)
        for stmt in block:
            found = self.stmt(stmt, loop=loop)
            if found:
                return f"{type(stmt).__name__}: {found}"
        self.variables, self.slots = variables, slots
        return None

    def stmt(self, stmt: Stmt, *, loop: bool) -> str | None:
        found = self.reads(expressions(stmt)) or self.own(stmt, loop=loop)
        if found:
            return found
        if isinstance(stmt, Range):
            self.define(stmt.slot)
        inner = loop or isinstance(stmt, Range | Loop)
        for block in blocks(stmt):
            found = self.block(block, loop=inner)
            if found:
                return found
        slot = defined(stmt)
        return self.define(slot) if slot is not None else None

    def define(self, slot: Slot) -> str | None:
        if slot in self.everything:
            return f"slot {slot.name} is defined twice"
        self.everything.add(slot)
        self.slots.add(slot)
        return None

    def reads(self, exprs: Iterable[Expr]) -> str | None:
        """Every slot and variable that expressions mention is visible."""
        for expr in exprs:
            for inner in subexpressions(expr):
                if isinstance(inner, Read) and inner.slot not in self.slots:
                    return f"reads slot {inner.slot.name}, which is not visible"
                if isinstance(inner, Load) and (found := self.place(inner.place)):
                    return found
        return None

    def place(self, place: Place) -> str | None:
        root = root_of(place)
        return None if root in self.variables else f"{root.name} is not visible"

    def own(self, stmt: Stmt, *, loop: bool) -> str | None:
        """The rules of one kind of statement."""
        match stmt:
            case Let(slot, value):
                return fits(slot, value.type)
            case Declare(variable, initial):
                self.variables.add(variable)
                return (
                    None
                    if initial is None or initial.type == variable.type
                    else f"{variable.name} starts with {initial.type}"
                )
            case Store(place, value):
                if root_of(place).space in (AddressSpace.CONSTANT, AddressSpace.UNIFORM):
                    return f"{root_of(place).name} cannot be written"
                return self.place(place) or (
                    None if value.type == place.type else f"stores {value.type} in {place.type}"
                )
            case AtomicCall(_, _, place, operands):
                return self.place(place) or atomic_fault(place.type, operands)
            case UniformLoad(_, place):
                root = root_of(place)
                return self.place(place) or (
                    None if root.space is AddressSpace.WORKGROUP else f"{root.name} is not shared"
                )
            case If(condition):
                return None if condition.type == BOOL else f"branches on {condition.type}"
            case Range(slot, start, stop, step):
                return None if {start.type, stop.type, step.type} == {slot.type} else "bounds differ in type"
            case Break() | Continue():
                return None if loop else "stands outside a loop"
            case Return(value):
                given = None if value is None else value.type
                return None if given == self.result else f"returns {given}, not {self.result}"
            case CallFunction(slot, function, arguments):
                if function not in self.functions:
                    return f"calls {function.name}, which is not in the kernel"
                return call_fault(slot, function, arguments)
            case _:
                return None


def fits(slot: Slot, given: Type | None) -> str | None:
    return None if slot.type == given else f"slot {slot.name} is {slot.type}, its value {given}"


def atomic_fault(type: Type, operands: Sequence[Expr]) -> str | None:
    """An atomic operation is on an atomic, with operands of its scalar."""
    if not isinstance(type, Atomic):
        return f"{type} is not atomic"
    return None if all(o.type == type.scalar for o in operands) else f"operands differ from {type.scalar}"


def call_fault(slot: Slot | None, function: Function, arguments: Sequence[Expr]) -> str | None:
    """Arguments and result of a call are of the function's types."""
    given, wanted = [a.type for a in arguments], [p.type for p in function.parameters]
    if given != wanted:
        spelled = (f"({', '.join(map(str, types))})" for types in (given, wanted))
        return f"gives {function.name} {', not '.join(spelled)}"
    return None if slot is None else fits(slot, function.result)
