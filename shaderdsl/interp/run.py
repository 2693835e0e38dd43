"""Statements over lanes: control flow by masks, workgroups in lock step, in chunks of about 16,384 lanes.

    interpret(kernel, {"x": memory}, {"eps": value}, groups=(64, 1, 1))

Barriers order nothing here, since every statement is finished by all lanes before the next begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, assert_never

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.interp import places
from shaderdsl.interp.atomics import atomic
from shaderdsl.interp.collectives import collective
from shaderdsl.interp.evaluate import evaluate
from shaderdsl.interp.lanes import Groups, Lanes, Mask
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Variable, Whole
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import (
    Assert,
    AtomicCall,
    AtomicOp,
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
from shaderdsl.numeric.host import Memory, zeros
from shaderdsl.numeric.operators import binary

CHUNK = 16384
"""Lanes that run at once: enough that numpy's cost per call vanishes, few enough for the cache."""

Report: TypeAlias = Callable[[Stmt, "Lanes", Mask, Sequence[Any]], None]
"""Receives each Print and Assert with its lanes, who is active, and the values."""


@dataclass(slots=True, eq=False)
class Flow:
    """Lanes that left the loops and the function around the current statement."""

    broken: list[Mask] = field(default_factory=list[Mask])
    continued: list[Mask] = field(default_factory=list[Mask])
    result: Any = None


def interpret(
    kernel: Kernel,
    storage: dict[Variable, Memory],
    params: dict[str, Memory],
    groups: Groups,
    *,
    order: Sequence[int] | None = None,
    report: Report | None = None,
) -> None:
    """Run a grid of workgroups, editing `storage` in place. `order`: workgroups by number, in the order to run them."""
    x, y, z = groups
    numbers = np.arange(x * y * z) if order is None else np.asarray(order)
    step = max(1, CHUNK // kernel.invocations)
    for start in range(0, len(numbers), step):
        lanes = Lanes(groups, kernel.workgroup_size, numbers[start : start + step], storage, params)
        for variable in kernel.shared:
            declare(lanes, variable)
        with np.errstate(all="ignore"):
            Runner(lanes, report).block(kernel.body, lanes.everyone, Flow())


def declare(lanes: Lanes, variable: Variable) -> None:
    """Module-scope memory: a table holds its constants once, the rest starts at zero."""
    if variable.space is AddressSpace.CONSTANT:
        if variable.initial is None:
            raise InternalError(f"table {variable.name} has no values")
        lanes.memory[variable] = evaluate(lanes, variable.initial)[0]
    else:
        lanes.declare(variable)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs blocks for a chunk; each method takes the active lanes and gives those that go on."""

    lanes: Lanes
    report: Report | None

    def value(self, expr: Expr) -> Any:
        return evaluate(self.lanes, expr)

    def block(self, block: Block, mask: Mask, flow: Flow) -> Mask:
        for stmt in block:
            if not mask.any():
                return mask
            mask = self.stmt(stmt, mask, flow)
        return mask

    def stmt(self, stmt: Stmt, mask: Mask, flow: Flow) -> Mask:
        match stmt:
            case Let(slot, value):
                self.lanes.values[slot] = self.value(value)
            case Declare():
                self.declare(stmt)
            case Store():
                self.store(stmt, mask)
            case If():
                return self.branch(stmt, mask, flow)
            case Range():
                return self.range(stmt, mask, flow)
            case Loop(body):
                return self.loop(body, mask, flow)
            case Break():
                flow.broken[-1] |= mask
                return np.zeros_like(mask)
            case Continue():
                flow.continued[-1] |= mask
                return np.zeros_like(mask)
            case Return(value):
                if value is not None:
                    self.give(self.value(value), mask, flow)
                return np.zeros_like(mask)
            case Barrier():
                pass
            case UniformLoad(slot, place):
                self.lanes.values[slot] = places.load(places.resolve(self.lanes, place, self.value))
            case AtomicCall():
                self.atomic(stmt, mask)
            case CallFunction():
                self.call(stmt, mask)
            case Collective(slot, op, operand, lane):
                source = None if lane is None else self.value(lane)
                self.lanes.values[slot] = collective(self.lanes, op, self.value(operand), operand.type, source)
            case Print() | Assert():
                self.debug(stmt, mask)
            case _:
                assert_never(stmt)
        return mask

    def declare(self, stmt: Declare) -> None:
        """A fresh variable each time control comes by."""
        self.lanes.declare(stmt.variable)
        if stmt.initial is not None:
            everyone = self.lanes.everyone
            places.assign(self.lanes, stmt.variable, self.value(stmt.initial), everyone)

    def store(self, stmt: Store, mask: Mask) -> None:
        value = self.value(stmt.value)
        if isinstance(stmt.place, Whole) and stmt.place.variable.space in (AddressSpace.FUNCTION, AddressSpace.PRIVATE):
            places.assign(self.lanes, stmt.place.variable, value, mask)
            return
        target = places.resolve(self.lanes, stmt.place, self.value)
        places.store(self.lanes, target, value, mask)

    def branch(self, stmt: If, mask: Mask, flow: Flow) -> Mask:
        condition = self.value(stmt.condition)
        if condition.shape[0] == 1:
            return self.block(stmt.then if condition[0] else stmt.orelse, mask, flow)
        after_then = self.block(stmt.then, mask & condition, flow)
        return after_then | self.block(stmt.orelse, mask & ~condition, flow)

    def loop(self, body: Block, mask: Mask, flow: Flow) -> Mask:
        flow.broken.append(np.zeros_like(mask))
        while mask.any():
            mask = self.turn(body, mask, flow)
        return flow.broken.pop()

    def turn(self, body: Block, mask: Mask, flow: Flow) -> Mask:
        """One turn of a loop: the lanes that go on to the next."""
        flow.continued.append(np.zeros_like(mask))
        after = self.block(body, mask, flow)
        return after | flow.continued.pop()

    def range(self, stmt: Range, mask: Mask, flow: Flow) -> Mask:
        """Bounds once, then turns while some lane is inside; lanes that are done wait at the end."""
        index, stop, step = self.value(stmt.start), self.value(stmt.stop), self.value(stmt.step)
        kind = stmt.slot.type
        down = isinstance(stmt.step, Const) and stmt.step.value < 0
        flow.broken.append(np.zeros_like(mask))
        done = np.zeros_like(mask)
        while True:
            inside = binary(BinaryOp.GT if down else BinaryOp.LT, index, stop, kind, kind)
            done |= mask & ~inside
            mask = mask & inside
            if not mask.any():
                return done | flow.broken.pop()
            self.lanes.values[stmt.slot] = index
            mask = self.turn(stmt.body, mask, flow)
            index = binary(BinaryOp.ADD, index, step, kind, kind)

    def give(self, value: Any, mask: Mask, flow: Flow) -> None:
        """Add a function's result for the lanes that return now."""
        flow.result = places.merge(flow.result, value, mask)

    def call(self, stmt: CallFunction, mask: Mask) -> None:
        function = stmt.function
        arguments = [self.value(a) for a in stmt.arguments]
        self.lanes.values.update(zip(function.parameters, arguments))
        inner = Flow()
        if function.result is not None:
            inner.result = zeros(function.result, (self.lanes.count,))
        self.block(function.body, mask, inner)
        if stmt.slot is not None:
            self.lanes.values[stmt.slot] = inner.result

    def atomic(self, stmt: AtomicCall, mask: Mask) -> None:
        operands = [self.value(o) for o in stmt.operands]
        target = places.resolve(self.lanes, stmt.place, self.value)
        wanted = stmt.slot is not None or stmt.op in (AtomicOp.EXCHANGE, AtomicOp.STORE, AtomicOp.COMPARE_EXCHANGE_WEAK)
        result = atomic(self.lanes, stmt.op, target, operands, mask, wanted=wanted)
        if stmt.slot is not None:
            self.lanes.values[stmt.slot] = result

    def debug(self, stmt: Print | Assert, mask: Mask) -> None:
        if self.report is None:
            return
        exprs = stmt.values if isinstance(stmt, Print) else (stmt.condition,)
        self.report(stmt, self.lanes, mask, [self.value(e) for e in exprs])
