"""Statements: the tree that owns every effect, in program order.

A block is a tuple of statements. Slots and variables declared in a block are visible until its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from shaderdsl.ir.expr import Expr, Place, Slot, Variable
from shaderdsl.ir.types import Type
from shaderdsl.source import Loc


class BarrierKind(Enum):
    """What a barrier orders; the value is WGSL's builtin."""

    WORKGROUP = "workgroupBarrier"
    STORAGE = "storageBarrier"


class AtomicOp(Enum):
    """WGSL's read-modify-write and access operations on atomics; the value is the spelling."""

    LOAD = "atomicLoad"
    STORE = "atomicStore"
    ADD = "atomicAdd"
    SUB = "atomicSub"
    MAX = "atomicMax"
    MIN = "atomicMin"
    AND = "atomicAnd"
    OR = "atomicOr"
    XOR = "atomicXor"
    EXCHANGE = "atomicExchange"
    COMPARE_EXCHANGE_WEAK = "atomicCompareExchangeWeak"


class CollectiveOp(Enum):
    """Operations that all invocations of a workgroup take part in; the value is the name of the emitted helper."""

    SUM = "group_sum"
    MAX = "group_max"
    MIN = "group_min"
    ANY = "group_any"
    ALL = "group_all"
    BROADCAST = "group_broadcast"
    INCLUSIVE_SCAN = "group_inclusive_scan"
    EXCLUSIVE_SCAN = "group_exclusive_scan"


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """`let slot = value;`: a value computed at this point of the program, for ever (a snapshot, if it is a load)."""

    slot: Slot
    value: Expr
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    """`var variable = initial;` in function memory; without `initial` it is zero."""

    variable: Variable
    initial: Expr | None
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    place: Place
    value: Expr
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    condition: Expr
    then: Block
    orelse: Block
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """`for (var slot = start; slot < stop; slot += step)`, `>` where the constant step is negative; bounds evaluated once, before the loop."""

    slot: Slot
    start: Expr
    stop: Expr
    step: Expr
    body: Block
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """`loop { body }`: ends by `Break` or `Return`."""

    body: Block
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Continue:
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """Ends the invocation, or the function with `value`."""

    value: Expr | None
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Barrier:
    kind: BarrierKind
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class UniformLoad:
    """`let slot = workgroupUniformLoad(&place);`: a barrier, one load for the whole workgroup, a barrier."""

    slot: Slot
    place: Place
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class AtomicCall:
    """`let slot = op(&place, operands...);` The slot is None for a store, or where nobody reads the result."""

    slot: Slot | None
    op: AtomicOp
    place: Place
    operands: tuple[Expr, ...]
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A helper emitted once a module. Parameters are values. `pure` is false where it holds a barrier or touches memory outside."""

    name: str
    parameters: tuple[Slot, ...]
    result: Type | None
    body: Block
    pure: bool
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class CallFunction:
    """`let slot = function(arguments...);` A call is a statement, since it may hold a barrier."""

    slot: Slot | None
    function: Function
    arguments: tuple[Expr, ...]
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Collective:
    """`let slot = group_op(operand);` over all invocations of the workgroup; `lane` is the source of a broadcast."""

    slot: Slot
    op: CollectiveOp
    operand: Expr
    lane: Expr | None
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """One line for the debug log: `format` in Python's format language over `values`. Emitted only when asked for."""

    format: str
    values: tuple[Expr, ...]
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """A claim about each active invocation. Emitted only when asked for."""

    condition: Expr
    message: str
    loc: Loc | None


Stmt: TypeAlias = (
    Let
    | Declare
    | Store
    | If
    | Range
    | Loop
    | Break
    | Continue
    | Return
    | Barrier
    | UniformLoad
    | AtomicCall
    | CallFunction
    | Collective
    | Print
    | Assert
)

Block: TypeAlias = tuple[Stmt, ...]
