"""Group collectives in their shared-memory form: one helper a kind and type, emitted once, that all invocations call together.

    fn group_sum_f32(value: f32, index: u32) -> f32 {
      group_scratch_f32[index] = value;
      workgroupBarrier();
      ... a tree of halving strides ...
      return workgroupUniformLoad(&group_scratch_f32[0u]);
    }

`workgroupUniformLoad` makes the result uniform, and its barriers keep the scratch safe for the next call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from shaderdsl.errors import InternalError
from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import AddressSpace, Const, ElementOf, Expr, Input, Load, Read, ReadInput, Slot, Variable, Whole
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import (
    Barrier,
    BarrierKind,
    Block,
    Break,
    CallFunction,
    Collective,
    CollectiveOp,
    Declare,
    Function,
    If,
    Let,
    Loop,
    Return,
    Stmt,
    Store,
    UniformLoad,
)
from shaderdsl.ir.types import BOOL, FLOATS, U32, Array, Type, scalar_of
from shaderdsl.ir.walk import with_blocks

BARRIER = Barrier(BarrierKind.WORKGROUP, None)
INDEX = ReadInput(Input.LOCAL_INVOCATION_INDEX, U32, None)
SCANS = (CollectiveOp.INCLUSIVE_SCAN, CollectiveOp.EXCLUSIVE_SCAN)


def lower_collectives(kernel: Kernel) -> Kernel:
    """`kernel` with every Collective as a call of its helper."""
    lowering = Lowering(kernel.invocations)
    body = lowering.block(kernel.body)
    if not lowering.helpers:
        return kernel
    shared = (*kernel.shared, *lowering.scratch.values())
    return replace(kernel, functions=(*kernel.functions, *lowering.helpers.values()), shared=shared, body=body)


@dataclass(slots=True)
class Lowering:
    """Helpers and scratch memory made so far. Helpers of one type share their scratch."""

    size: int
    helpers: dict[tuple[CollectiveOp, Type], Function] = field(
        default_factory=dict[tuple[CollectiveOp, Type], Function]
    )
    scratch: dict[Type, Variable] = field(default_factory=dict[Type, Variable])

    def block(self, block: Block) -> Block:
        return tuple(self.stmt(s) for s in block)

    def stmt(self, stmt: Stmt) -> Stmt:
        if not isinstance(stmt, Collective):
            return with_blocks(stmt, self.block)
        helper = self.helper(stmt.op, stmt.operand.type)
        last = stmt.lane if stmt.lane is not None else INDEX
        arguments = (stmt.operand, INDEX, last) if stmt.op is CollectiveOp.BROADCAST else (stmt.operand, INDEX)
        return CallFunction(stmt.slot, helper, arguments, stmt.loc)

    def helper(self, op: CollectiveOp, type: Type) -> Function:
        known = self.helpers.get((op, type))
        if known is None:
            known = self.helpers[op, type] = self.make(op, type)
        return known

    def make(self, op: CollectiveOp, type: Type) -> Function:
        value, index = Slot("value", type), Slot("index", U32)
        lane = Slot("lane", U32)
        parameters = (value, index, lane) if op is CollectiveOp.BROADCAST else (value, index)
        name = op.value if scalar_of(type) is BOOL else f"{op.value}_{str(type).replace('<', '_').replace('>', '')}"
        writer = Writer(self.memory(type), self.size, op, value, index)
        if op is CollectiveOp.BROADCAST:
            body = writer.broadcast(lane)
        elif op in SCANS:
            body = writer.scan(exclusive=op is CollectiveOp.EXCLUSIVE_SCAN)
        else:
            body = writer.reduction()
        return Function(name, parameters, type, body, pure=False, loc=None)

    def memory(self, type: Type) -> Variable:
        found = self.scratch.get(type)
        if found is None:
            name = f"group_scratch_{str(type).replace('<', '_').replace('>', '')}"
            found = self.scratch[type] = Variable(name, Array(type, self.size), AddressSpace.WORKGROUP, None)
        return found


@dataclass(frozen=True, slots=True)
class Writer:
    """The body of one helper over its scratch memory."""

    scratch: Variable
    size: int
    op: CollectiveOp
    value: Slot
    index: Slot

    @property
    def own(self) -> Expr:
        return Read(self.index, U32, None)

    def place(self, index: Expr) -> ElementOf:
        return build.element_of(Whole(self.scratch, self.scratch.type), index, None)

    def load(self, index: Expr) -> Load:
        place = self.place(index)
        return Load(place, place.type, None)

    def put_value(self) -> list[Stmt]:
        return [Store(self.place(self.own), Read(self.value, self.value.type, None), None), BARRIER]

    def give(self, index: Expr) -> list[Stmt]:
        """The uniform result: the barriers of the load order it after all writes and before the next call's."""
        result = Slot("result", self.value.type)
        return [UniformLoad(result, self.place(index), None), Return(Read(result, result.type, None), None)]

    def broadcast(self, lane: Slot) -> Block:
        """Every invocation puts its value down; all take the one of `lane`."""
        return (*self.put_value()[:1], *self.give(Read(lane, U32, None)))

    def reduction(self) -> Block:
        """A tree: strides halve from the next power of two, so the order of operations is the same for every device."""
        if self.size == 1:
            return (Return(Read(self.value, self.value.type, None), None),)
        if self.size & (self.size - 1) == 0:
            return (*self.put_value(), *self.rounds(), *self.give(Const(0, U32, None)))
        stride = Variable("stride", U32, AddressSpace.FUNCTION, None)
        step = Slot("step", U32)
        span = Read(step, U32, None)
        other = build.binary(BinaryOp.ADD, self.own, span, None)
        active = build.binary(BinaryOp.LT, self.own, span, None)
        inside = build.binary(BinaryOp.LT, other, Const(self.size, U32, None), None)
        active = build.binary(BinaryOp.LOGICAL_AND, active, inside, None)
        merged = self.combine(self.load(self.own), self.load(other))
        body = (
            Let(step, Load(Whole(stride, U32), U32, None), None),
            If(active, (Store(self.place(self.own), merged, None),), (), None),
            BARRIER,
            If(build.binary(BinaryOp.EQ, span, Const(1, U32, None), None), (Break(None),), (), None),
            Store(Whole(stride, U32), build.binary(BinaryOp.DIV, span, Const(2, U32, None), None), None),
        )
        first = Const(1 << ((self.size - 1).bit_length() - 1), U32, None)
        return (*self.put_value(), Declare(stride, first, None), Loop(body, None), *self.give(Const(0, U32, None)))

    def rounds(self) -> Iterator[Stmt]:
        """The same tree two halvings at a time, with half the barriers: (a + c) + (b + d) of values a quarter apart."""
        left = self.size
        while left > 1:
            span = left // 4 or 1
            active = build.binary(BinaryOp.LT, self.own, Const(span, U32, None), None)
            parts = [self.load(self.beyond(span * n)) for n in range(left // span)]
            merged = self.combine(parts[0], parts[len(parts) // 2])
            if len(parts) == 4:
                merged = self.combine(merged, self.combine(parts[1], parts[3]))
            yield If(active, (Store(self.place(self.own), merged, None),), (), None)
            yield BARRIER
            left = span

    def beyond(self, distance: int) -> Expr:
        return build.binary(BinaryOp.ADD, self.own, Const(distance, U32, None), None) if distance else self.own

    def combine(self, left: Expr, right: Expr) -> Expr:
        match self.op:
            case CollectiveOp.SUM | CollectiveOp.INCLUSIVE_SCAN | CollectiveOp.EXCLUSIVE_SCAN:
                return build.binary(BinaryOp.ADD, left, right, None)
            case CollectiveOp.MAX:
                return build.call(Builtin.MAX, (left, right), None)
            case CollectiveOp.MIN:
                return build.call(Builtin.MIN, (left, right), None)
            case CollectiveOp.ANY:
                return build.binary(BinaryOp.LOGICAL_OR, left, right, None)
            case CollectiveOp.ALL:
                return build.binary(BinaryOp.LOGICAL_AND, left, right, None)
            case CollectiveOp.BROADCAST:
                raise InternalError("a broadcast combines nothing")

    def scan(self, *, exclusive: bool) -> Block:
        """Doubling strides: each invocation adds the value `stride` places before it, read before anybody overwrites it."""
        stride = Variable("stride", U32, AddressSpace.FUNCTION, None)
        step, mine = Slot("step", U32), Slot("own", self.value.type)
        span = Read(step, U32, None)
        reaches = build.binary(BinaryOp.GE, self.own, span, None)
        earlier = self.load(build.binary(BinaryOp.SUB, self.own, span, None))
        total = Variable("total", self.value.type, AddressSpace.FUNCTION, None)
        current = Load(Whole(total, total.type), total.type, None)
        body = (
            Let(step, Load(Whole(stride, U32), U32, None), None),
            If(build.binary(BinaryOp.GE, span, Const(self.size, U32, None), None), (Break(None),), (), None),
            If(reaches, (Store(Whole(total, total.type), self.combine(earlier, current), None),), (), None),
            BARRIER,
            Let(mine, current, None),
            Store(self.place(self.own), Read(mine, mine.type, None), None),
            BARRIER,
            Store(Whole(stride, U32), build.binary(BinaryOp.MUL, span, Const(2, U32, None), None), None),
        )
        start = Declare(total, Read(self.value, self.value.type, None), None)
        loop = (*self.put_value(), start, Declare(stride, Const(1, U32, None), None), Loop(body, None))
        return (*loop, *(self.shifted(total) if exclusive else (Return(current, None),)))

    def shifted(self, total: Variable) -> Block:
        """The inclusive result of the invocation before, 0 for the first."""
        place = Whole(total, total.type)
        scalar = scalar_of(total.type)
        zero = Const(0.0 if scalar in FLOATS else 0, total.type, None)
        before = self.load(build.binary(BinaryOp.SUB, self.own, Const(1, U32, None), None))
        first = build.binary(BinaryOp.EQ, self.own, Const(0, U32, None), None)
        choose = If(first, (Store(place, zero, None),), (Store(place, before, None),), None)
        return (choose, BARRIER, Return(Load(place, place.type, None), None))
