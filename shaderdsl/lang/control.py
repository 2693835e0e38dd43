"""Control flow: `k.if_`, `k.elif_`, `k.else_`, `k.range`, `k.loop`, and the check that Python does not lie about them.

Each is a plain call that notes its location and returns an object; the object opens and closes a block of the trace.
"""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from shaderdsl.errors import ConstantError, InternalError, KernelTypeError, TraceError
from shaderdsl.ir.expr import Const, Expr, Read, Slot
from shaderdsl.ir.stmt import CallFunction, If, Let, Loop, Range, Stmt
from shaderdsl.ir.types import BOOL, I32, INTEGERS, U32
from shaderdsl.ir.walk import defined
from shaderdsl.lang.here import user_frame
from shaderdsl.lang.place import Place
from shaderdsl.lang.rebinding import check_rebinding, held
from shaderdsl.lang.refusals import article, refuse
from shaderdsl.lang.trace import Scope, Trace, current, position_of
from shaderdsl.lang.value import Value, expr_of, wrap, wrong_operand
from shaderdsl.numeric.values import INTEGER_LIMITS
from shaderdsl.source import Loc

T = TypeVar("T")


class Block:
    """A traced block as a context manager: subclasses say what statement it becomes."""

    def __init__(self, name: str, loc: Loc, *, loop: bool = False) -> None:
        self._name = name
        self._form = f"with {name}(...):" if name in ("k.if_", "k.elif_") else f"with {name}():"
        self._loc = loc
        self._loop = loop
        self._links = 0
        self._scope: Scope | None = None
        self._before: dict[str, object] = {}
        current(loc).await_(self, name, self._form, loc)

    def __enter__(self) -> None:
        trace = current(self._loc)
        trace.arrived(self, self._loc)
        self._before = held(trace, self._loc, user_frame())
        self._scope = trace.push(self._loc, loop=self._loop, links=self._links)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if kind is not None:
            return
        trace = current(self._loc)
        scope = self._scope
        if scope is None:
            raise InternalError("a block ends that did not start")
        check_rebinding(trace, self._loc, user_frame(), self._before)
        self._close(trace, scope)

    def _close(self, trace: Trace, scope: Scope) -> None:
        raise NotImplementedError


class IfBlock(Block):
    """`with k.if_(condition):`"""

    def __init__(self, condition: Expr, loc: Loc) -> None:
        super().__init__("k.if_", loc)
        self._condition = condition

    def _close(self, trace: Trace, scope: Scope) -> None:
        branch = If(self._condition, trace.pop(scope), (), self._loc)
        trace.emit(branch)
        trace.scope.chain, trace.scope.links = branch, 1


class ElseBlock(Block):
    """`with k.else_():` and, with a condition, `with k.elif_(condition):`; each hangs on the `if` right before it."""

    def __init__(self, condition: Expr | None, loc: Loc) -> None:
        super().__init__("k.else_" if condition is None else "k.elif_", loc)
        self._condition = condition
        self._first, self._between = split_chain(current(loc), loc, self._name)
        if condition is None and self._between:
            raise chain_error(self._name, loc)
        self._inner: Scope | None = None
        self._links = current(loc).scope.links if condition is None else 0

    def __enter__(self) -> None:
        if self._condition is None:
            super().__enter__()
            return
        trace = current(self._loc)
        self._inner = trace.push(self._loc, links=trace.scope.links)
        self._inner.stmts += self._between
        moved = [slot for s in self._between if (slot := defined(s)) is not None]
        trace.moved.update((slot, self._inner) for slot in moved)
        super().__enter__()

    def _close(self, trace: Trace, scope: Scope) -> None:
        body = trace.pop(scope)
        if self._condition is not None and self._inner is not None:
            trace.emit(If(self._condition, body, (), self._loc))
            body = trace.pop(self._inner)
        chain = attach_else(self._first, body)
        trace.scope.stmts.append(chain)
        trace.scope.chain = None if self._condition is None else chain
        trace.scope.links += 1


def split_chain(trace: Trace, loc: Loc, what: str) -> tuple[If, list[Stmt]]:
    """Take the `if` that stands last in the block, and the reads of the new condition after it, out of the block."""
    stmts = trace.scope.stmts
    last = len(stmts) - 1
    while last >= 0 and computes(stmts[last]):
        last -= 1
    found = stmts[last] if last >= 0 else None
    if not isinstance(found, If) or found is not trace.scope.chain:
        raise chain_error(what, loc)
    between = stmts[last + 1 :]
    del stmts[last:]
    return found, between


def computes(stmt: Stmt) -> bool:
    """Whether a statement only computes a value: part of a condition, which may stand between the blocks of a chain."""
    return isinstance(stmt, Let) or (isinstance(stmt, CallFunction) and stmt.function.pure)


def chain_error(what: str, loc: Loc) -> TraceError:
    return TraceError(
        f"{what} does not follow a k.if_ or k.elif_",
        loc,
        hints=["put it right after the block, with nothing in between"],
    )


def attach_else(chain: If, body: tuple[Stmt, ...]) -> If:
    """`chain` with `body` as the else of its last `if`; rebuilt from the inside, without recursion."""
    links: list[If] = [chain]
    while links[-1].orelse:
        inner = links[-1].orelse[-1]
        if not isinstance(inner, If):
            raise InternalError("an else is attached twice")
        links.append(inner)
    result = replace(links[-1], orelse=body)
    for outer in reversed(links[:-1]):
        result = replace(outer, orelse=(*outer.orelse[:-1], result))
    return result


class LoopBlock(Block):
    """`with k.loop():` until a break or return."""

    def __init__(self, loc: Loc) -> None:
        super().__init__("k.loop", loc, loop=True)

    def _close(self, trace: Trace, scope: Scope) -> None:
        if not scope.exits:
            raise TraceError("this loop never ends", self._loc, hints=["leave it with k.break_if(condition)"])
        trace.emit(Loop(trace.pop(scope), self._loc))


class RangeLoop(Generic[T]):
    """`for i in k.range(...):` runs its Python body once, for all turns of the kernel's loop."""

    def __init__(self, start: Expr, stop: Expr, step: Expr, loc: Loc) -> None:
        self._start, self._stop, self._step = start, stop, step
        self._name, self._form = "k.range", "for i in k.range(...):"
        self._loc = loc
        self._scope: Scope | None = None
        self._before: dict[str, object] = {}
        trace = current(loc)
        self._slot = Slot(trace.name_at(loc) or "i", start.type)
        trace.await_(self, self._name, self._form, loc)

    def __iter__(self) -> Self:
        """Only a `for` statement's head may take it: `enumerate`, `zip` and comprehensions would count Python's one turn, not the kernel's."""
        trace = current(self._loc)
        trace.arrived(self, self._loc)
        found, position = trace.scan_of(self._loc), position_of(self._loc)
        if found is not None and position is not None and position not in found.blocks:
            raise TraceError(
                "k.range stands in the head of a for statement",
                self._loc,
                label="Python takes one turn here, while tracing",
                hints=[f"write {self._form}"],
            )
        return self

    def __next__(self) -> T:
        trace = current(self._loc)
        if self._scope is None:
            self._before = held(trace, self._loc, user_frame())
            self._scope = trace.push(self._loc, loop=True)
            return wrap(Read(self._slot, self._slot.type, self._loc))
        if self._scope.open:
            check_rebinding(trace, self._loc, user_frame(), self._before)
            body = trace.pop(self._scope)
            trace.emit(Range(self._slot, self._start, self._stop, self._step, body, self._loc))
        raise StopIteration


def range_bounds(bounds: tuple[Expr, ...], loc: Loc) -> tuple[Expr, Expr, Expr]:
    """start, stop, step of one integer type; step 1 and start 0 where they are not given."""
    if not 1 <= len(bounds) <= 3:
        raise KernelTypeError(
            f"k.range takes stop, or start, stop and step; {len(bounds)} were given",
            loc,
            hints=["write k.range(start, stop, step)"],
        )
    kind = bounds[0].type
    if kind not in INTEGERS or any(b.type != kind for b in bounds):
        given = " and ".join(str(b.type) for b in bounds)
        raise KernelTypeError(
            f"k.range takes integers of one type, not {given}", loc, hints=["convert them with .u32 or .i32"]
        )
    zero, one = Const(0, kind, loc), Const(1, kind, loc)
    start, stop = (zero, bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2] if len(bounds) == 3 else one
    if isinstance(step, Const) and step.value == 0:
        raise ConstantError("k.range's step is zero", loc, hints=["leave it out for a step of 1"])
    if kind == I32 and not isinstance(step, Const):
        raise KernelTypeError(
            "a step of i32 is a number, since its sign decides where the loop ends",
            loc,
            hints=["write the step as a number, convert the bounds with .u32, or use k.loop"],
        )
    refuse_wrapping(start, stop, step, loc)
    return start, stop, step


def refuse_wrapping(start: Expr, stop: Expr, step: Expr, loc: Loc) -> None:
    """A loop over constants ends: its index does not step over the type's last number, where it would start again."""
    if not (isinstance(start, Const) and isinstance(stop, Const) and isinstance(step, Const)):
        return
    low, high = INTEGER_LIMITS[I32 if start.type == I32 else U32]
    turns = range(int(start.value), int(stop.value), int(step.value))
    if turns and not low <= turns[-1] + turns.step <= high:
        raise ConstantError(
            f"after {turns[-1]} this loop steps over the end of {start.type} and starts again",
            loc,
            hints=[f"stop at {turns[-1]}, and do the last turn after the loop"],
        )


def kind_of(thing: Any) -> str:
    return type(thing).__name__


def condition_of(value: Any, loc: Loc) -> Expr:
    """A bool expression for a branch."""
    if isinstance(value, bool):
        raise KernelTypeError(
            "this condition is a Python bool", loc, hints=["use Python's own if: it is decided while tracing"]
        )
    if type(value).__module__ == "numpy":
        raise wrong_operand(value, loc)
    if not isinstance(value, Value):
        hint = "read it with .value" if isinstance(value, Place) else "compare something: x[i] > 0"
        raise KernelTypeError(f"a condition is a bool of the kernel, not {article(kind_of(value))}", loc, hints=[hint])
    expr = expr_of(value, loc)
    if expr.type != BOOL:
        raise KernelTypeError(f"a condition is bool, not {expr.type}", loc, hints=["compare it: x != 0"])
    return expr


def misplaced(block: Block | RangeLoop[Any], symbol: str, *others: object) -> TraceError:
    """What to say of a block in the wrong statement, or in none."""
    del symbol, others
    return TraceError(f"{block._name} does nothing here", block._loc, hints=[f"write {block._form}"])


refuse(Block, ["iter", "bool", "len"], misplaced)
refuse(RangeLoop, ["enter", "exit", "bool", "len"], misplaced)
