"""`sd.Kernel`: the `k` that a kernel's function receives. Everything that is not a value or a buffer is asked of it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar, overload

from shaderdsl.errors import KernelTypeError, TraceError
from shaderdsl.ir.expr import AddressSpace, Const, Construct, Expr, Input, Read, ReadInput, Slot, Variable, Whole
from shaderdsl.ir.kernel import DomainKind
from shaderdsl.ir.stmt import (
    Assert,
    Barrier,
    BarrierKind,
    Break,
    CollectiveOp,
    Continue,
    Declare,
    If,
    Print,
    Return,
    Stmt,
    UniformLoad,
)
from shaderdsl.ir.types import (
    BOOL,
    U32,
    Array,
    Atomic,
    Scalar,
    Struct,
    Type,
    holds_atomic,
    is_float,
    mentions,
)
from shaderdsl.lang.annotations import type_of
from shaderdsl.lang.collectives import collective, root_space, together
from shaderdsl.lang.control import ElseBlock, IfBlock, LoopBlock, RangeLoop, condition_of, range_bounds
from shaderdsl.lang.domain import DomainBlock, extent_of
from shaderdsl.lang.here import here
from shaderdsl.lang.memory import Memory, Table
from shaderdsl.lang.operate import coerce, expect
from shaderdsl.lang.place import Atomic as AtomicPlace
from shaderdsl.lang.place import Place, Var
from shaderdsl.lang.refusals import refuse
from shaderdsl.lang.scalars import bool_, f16, f32, i32, u32
from shaderdsl.lang.trace import Trace, check_live, current, in_kernel
from shaderdsl.lang.value import Value, expr_of, wrap, wrong_operand
from shaderdsl.lang.vectors import vec3u
from shaderdsl.source import Loc

T = TypeVar("T")
N = TypeVar("N", i32, u32, f32, f16)
I = TypeVar("I", i32, u32)  # noqa: E741
E = TypeVar("E")
PRINT_OUTSIDE = "return the value and print it there"


class Kernel:
    """The kernel being traced. Blocks, loops, memory, barriers and collectives are its methods; invocation ids its attributes."""

    __slots__ = ()

    # Invocations

    @property
    def local_id(self) -> vec3u:
        """`local_invocation_id`: this invocation's coordinates in its workgroup."""
        return read_input("k.local_id", Input.LOCAL_INVOCATION_ID)

    @property
    def local_index(self) -> u32:
        """`local_invocation_index`: this invocation's number in its workgroup, x fastest."""
        return read_input("k.local_index", Input.LOCAL_INVOCATION_INDEX)

    @property
    def global_id(self) -> vec3u:
        """`global_invocation_id`: coordinates in the grid."""
        return read_input("k.global_id", Input.GLOBAL_INVOCATION_ID)

    @property
    def workgroup_id(self) -> vec3u:
        """`workgroup_id`: the workgroup's coordinates in the grid."""
        return read_input("k.workgroup_id", Input.WORKGROUP_ID)

    @property
    def num_workgroups(self) -> vec3u:
        """`num_workgroups`: the grid's size in workgroups."""
        return read_input("k.num_workgroups", Input.NUM_WORKGROUPS)

    @overload
    def each(self, a: u32 | int, /) -> DomainBlock[u32]: ...
    @overload
    def each(self, a: u32 | int, b: u32 | int, /) -> DomainBlock[tuple[u32, u32]]: ...
    @overload
    def each(self, a: u32 | int, b: u32 | int, c: u32 | int, /) -> DomainBlock[tuple[u32, u32, u32]]: ...
    def each(self, *extents: u32 | int) -> DomainBlock[Any]:
        """One invocation for each point of one to three axes; invocations beyond leave at once."""
        return domain(DomainKind.EACH, extents)

    @overload
    def each_group(self, a: u32 | int, /) -> DomainBlock[u32]: ...
    @overload
    def each_group(self, a: u32 | int, b: u32 | int, /) -> DomainBlock[tuple[u32, u32]]: ...
    @overload
    def each_group(self, a: u32 | int, b: u32 | int, c: u32 | int, /) -> DomainBlock[tuple[u32, u32, u32]]: ...
    def each_group(self, *extents: u32 | int) -> DomainBlock[Any]:
        """One workgroup for each point of one to three axes: barriers and collectives are allowed inside."""
        return domain(DomainKind.EACH_GROUP, extents)

    # Control flow

    def if_(self, condition: bool_) -> IfBlock:
        """A branch."""
        loc = here()
        return IfBlock(condition_of(condition, loc), loc)

    def elif_(self, condition: bool_) -> ElseBlock:
        """A second branch, right after the block of k.if_ or k.elif_."""
        loc = here()
        return ElseBlock(condition_of(condition, loc), loc)

    def else_(self) -> ElseBlock:
        """What runs where no branch before it did."""
        return ElseBlock(None, here())

    @overload
    def range(self, stop: I, /) -> RangeLoop[I]: ...
    @overload
    def range(self, stop: int, /) -> RangeLoop[u32]: ...
    @overload
    def range(self, start: I | int, stop: I, step: I | int = 1, /) -> RangeLoop[I]: ...
    @overload
    def range(self, start: I, stop: I | int, step: I | int = 1, /) -> RangeLoop[I]: ...
    @overload
    def range(self, start: int, stop: int, step: int = 1, /) -> RangeLoop[u32]: ...
    def range(self, *bounds: i32 | u32 | int) -> RangeLoop[Any]:
        """`for i in k.range(start, stop, step)`: a loop of the kernel; the bounds are evaluated once, before it. Ints alone give u32.

        The index wraps as every number does, so a run-time stop keeps a step away from the end of its type.
        """
        loc = here()
        typed = next((b for b in bounds if isinstance(b, Value)), None)
        like = typed._expr.type if typed is not None else U32
        exprs = tuple(coerce(b, like, loc) for b in bounds)
        return RangeLoop(*range_bounds(exprs, loc), loc)

    def loop(self) -> LoopBlock:
        """A loop that ends by k.break_if, k.break_ or a return."""
        return LoopBlock(here())

    def break_if(self, condition: bool_) -> None:
        """Leave the innermost loop where `condition` holds."""
        self._jump_if(condition, Break(here()))

    def continue_if(self, condition: bool_) -> None:
        """Go on with the innermost loop's next turn where `condition` holds."""
        self._jump_if(condition, Continue(here()))

    def return_if(self, condition: bool_, value: Value | int | float | None = None) -> None:
        """End this invocation (or function, with `value`) where `condition` holds."""
        loc = here()
        self._jump_if(condition, Return(returned(value, loc), loc))

    def break_(self) -> None:
        """Leave the innermost loop."""
        self._jump(Break(here()))

    def continue_(self) -> None:
        """Go on with the innermost loop's next turn."""
        self._jump(Continue(here()))

    def return_(self, value: Value | int | float | None = None) -> None:
        """End this invocation, or the function with `value`."""
        loc = here()
        self._jump(Return(returned(value, loc), loc))

    def _jump(self, jump: Break | Continue | Return) -> None:
        trace = current(jump.loc)
        check_jump(trace, jump)
        note_exit(trace, jump)
        trace.emit(jump)

    def _jump_if(self, condition: bool_, jump: Break | Continue | Return) -> None:
        trace = current(jump.loc)
        check_jump(trace, jump)
        note_exit(trace, jump)
        if not isinstance(jump, Continue):
            trace.mark_exit()
        trace.emit(If(condition_of(condition, jump.loc or here()), (jump,), (), jump.loc))

    # Memory

    def var(self, initial: T) -> Var[T]:
        """A variable of this invocation, with its first value: `k.var(f32(0))`."""
        loc = here()
        if not isinstance(initial, Value):
            raise wrong_operand(initial, loc) if not isinstance(initial, int | float) else untyped(initial, loc)
        trace = current(loc)
        expr = expr_of(initial, loc)
        variable = Variable(trace.name_at(loc) or "v", expr.type, AddressSpace.FUNCTION, loc)
        trace.emit(Declare(variable, expr, loc))
        return Var(Whole(variable, expr.type), trace.scope)

    def array(self, element: type[E], *shape: int) -> Memory[E]:
        """Memory of this invocation, zero at first: `k.array(f32, 4, 4)`."""
        loc = here()
        trace = current(loc)
        array = without_atomics(array_type(element, shape, loc), loc)
        variable = Variable(trace.name_at(loc) or "a", array, AddressSpace.FUNCTION, loc)
        trace.emit(Declare(variable, None, loc))
        return Memory(variable, shape, trace.scope, writable=True)

    def shared(self, element: type[E], *shape: int) -> Memory[E]:
        """Memory that the invocations of a workgroup share, zero at first: `k.shared(f32, 16, 17)`."""
        return module_memory(element, shape, AddressSpace.WORKGROUP)

    def private(self, element: type[E], *shape: int) -> Memory[E]:
        """Memory of this invocation at module scope, zero at first; functions traced inside the kernel may not see it."""
        return module_memory(element, shape, AddressSpace.PRIVATE)

    def table(self, element: type[E], values: Sequence[int | float | bool]) -> Table[E]:
        """A constant table, indexed at run time: `k.table(f32, [1, 2, 4])`."""
        loc = here()
        trace = current(loc)
        if isinstance(values, str) or not isinstance(values, Sequence) or not values:
            raise KernelTypeError(
                "a table is made of a list of numbers", loc, hints=["write k.table(f32, [1.0, 2.0]), or array.tolist()"]
            )
        array = array_type(element, (len(values),), loc)
        inner = array.element
        if not isinstance(inner, Scalar):
            raise KernelTypeError(
                f"a table holds scalars, not {inner}", loc, hints=["make one table for each component"]
            )
        items = tuple(coerce(v, inner, loc) for v in values)
        if not all(isinstance(i, Const) for i in items):
            raise KernelTypeError(
                "a table holds plain constants", loc, hints=["leave out inf, NaN and -0.0, or compute them"]
            )
        name = trace.name_at(loc) or "table"
        variable = Variable(name, array, AddressSpace.CONSTANT, loc, initial=Construct(items, array, loc))
        trace.shared.append(variable)
        return Table(variable, (len(values),), trace.scopes[0], writable=False)

    # Workgroups

    def barrier(self) -> None:
        """workgroupBarrier: all invocations arrive, and shared memory written before is seen after."""
        self._barrier(BarrierKind.WORKGROUP)

    def storage_barrier(self) -> None:
        """storageBarrier: all invocations of the workgroup arrive, and storage written before is seen after."""
        self._barrier(BarrierKind.STORAGE)

    def _barrier(self, kind: BarrierKind) -> None:
        loc = here()
        together(current(loc), "a barrier", loc).emit(Barrier(kind, loc))

    @overload
    def workgroup_uniform_load(self, place: Place[AtomicPlace[I]]) -> I: ...
    @overload
    def workgroup_uniform_load(self, place: Place[T]) -> T: ...
    def workgroup_uniform_load(self, place: Place[Any]) -> Any:
        """The value of a shared place, the same for the whole workgroup; a barrier before and after: `k.workgroup_uniform_load(tile.at(0))`."""
        loc = here()
        trace = together(current(loc), "workgroup_uniform_load", loc)
        if not isinstance(place, Place) or root_space(place) is not AddressSpace.WORKGROUP:
            raise KernelTypeError(
                "workgroup_uniform_load takes a place in shared memory", loc, hints=["write tile.at(i)"]
            )
        check_live(place._scope, trace, None, loc)
        inner = place._place
        loaded = inner.type.scalar if isinstance(inner.type, Atomic) else inner.type
        slot = Slot(trace.name_at(loc), loaded)
        trace.emit(UniformLoad(slot, inner, loc))
        return wrap(Read(slot, loaded, loc))

    def group_sum(self, value: N) -> N:
        """The sum over all invocations of the workgroup, added as a tree; the same bits for all of them."""
        return collective(CollectiveOp.SUM, value)

    def group_max(self, value: N) -> N:
        """The largest over the workgroup."""
        return collective(CollectiveOp.MAX, value)

    def group_min(self, value: N) -> N:
        """The least over the workgroup."""
        return collective(CollectiveOp.MIN, value)

    def group_any(self, value: bool_) -> bool_:
        """Whether it holds for some invocation of the workgroup."""
        return collective(CollectiveOp.ANY, value)

    def group_all(self, value: bool_) -> bool_:
        """Whether it holds for every invocation of the workgroup."""
        return collective(CollectiveOp.ALL, value)

    def group_broadcast(self, value: T, lane: u32 | int) -> T:
        """The value of the invocation whose local_index is `lane`."""
        return collective(CollectiveOp.BROADCAST, value, lane)

    def group_inclusive_scan(self, value: N) -> N:
        """The sum over this invocation and those before it by local_index."""
        return collective(CollectiveOp.INCLUSIVE_SCAN, value)

    def group_exclusive_scan(self, value: N) -> N:
        """The sum over the invocations before this one by local_index; 0 for the first."""
        return collective(CollectiveOp.EXCLUSIVE_SCAN, value)

    # Debugging

    def print(self, format: str, *values: Value) -> None:
        """One line of the debug log for each active invocation: `k.print("i={} x={:.3f}", i, x)`. Absent from the WGSL unless asked for."""
        loc = here()
        exprs = tuple(expr_of(v, loc) if isinstance(v, Value) else raise_untyped(v, loc) for v in values)
        wrong = next((e for e in exprs if not isinstance(e.type, Scalar)), None)
        if wrong is not None:
            raise KernelTypeError(f"k.print takes scalars, not {wrong.type}", loc, hints=["print its components"])
        check_format(format, [e.type for e in exprs], loc)
        in_kernel("k.print", PRINT_OUTSIDE, loc).emit(Print(format, exprs, loc))

    def assert_(self, condition: bool_, message: str) -> None:
        """A claim about each active invocation; checked by the interpreter, and on devices when asked for."""
        loc = here()
        if not isinstance(message, str):
            raise KernelTypeError(
                f"an assertion's message is text, not {message!r}",
                loc,
                hints=['write k.assert_(x > 0, "x is positive")'],
            )
        in_kernel("k.assert_", PRINT_OUTSIDE, loc).emit(Assert(condition_of(condition, loc), message, loc))


def no_method(_: Kernel, name: str) -> NoReturn:
    """An attribute that the kernel does not have, with the one that it looks like."""
    if name.startswith("_"):
        raise AttributeError(name)
    known = [n for n in dir(Kernel) if not n.startswith("_")]
    close = difflib.get_close_matches(name, known, 1)
    raise TraceError(
        f"a kernel has no {name}", here(), hints=[f"write k.{close[0]}" if close else f"it has {', '.join(known)}"]
    )


def not_assignable(_: Kernel, symbol: str, *others: object) -> TraceError:
    """What to say of `k.local_id = ...`."""
    del symbol, others
    return TraceError("nothing of the kernel can be assigned", here(), hints=["name it: lane = k.local_id.x"])


refuse(Kernel, ["setattr", "delattr"], not_assignable)
Kernel.__getattr__ = no_method  # pyright: ignore[reportAttributeAccessIssue] (type checkers must go on refusing what is not there)


def domain(kind: DomainKind, extents: Sequence[u32 | int]) -> DomainBlock[Any]:
    loc = here()
    if not 1 <= len(extents) <= 3:
        raise KernelTypeError(
            f"a domain has one to three axes, not {len(extents)}",
            loc,
            hints=["write with k.each(x.rows, x.cols) as (i, j):"],
        )
    return DomainBlock(kind, tuple(extent_of(e, loc) for e in extents), loc)


def read_input(name: str, input: Input) -> Any:
    """What a kernel knows of its invocation: functions are told."""
    loc = here()
    in_kernel(name, "pass it as an argument", loc)
    return wrap(ReadInput(input, input.type, loc))


def untyped(value: object, loc: Loc | None) -> KernelTypeError:
    return KernelTypeError("a variable needs a type", loc, hints=[f"write k.var(f32({value})) or another type"])


def raise_untyped(value: object, loc: Loc | None) -> Expr:
    raise wrong_operand(value, loc)


def returned(value: object, loc: Loc | None) -> Expr | None:
    if value is None:
        return None
    result = current(loc).result
    if result is None:
        raise KernelTypeError("a kernel returns no value", loc, hints=["store it in an Out buffer"])
    return expect(value, result, loc, "the returned value")


def note_exit(trace: Trace, jump: Stmt) -> None:
    """Remember that some invocations may leave the kernel, or the function, here: no barrier may follow."""
    if isinstance(jump, Return):
        trace.left = trace.left or jump.loc


def check_jump(trace: Trace, jump: Stmt) -> None:
    """`break` and `continue` stand in a loop; `return` in a function gives its value."""
    if isinstance(jump, Return):
        if jump.value is None and trace.result is not None:
            raise KernelTypeError(
                f"{trace.name} returns {trace.result}", jump.loc, hints=["give the value: k.return_if(c, value)"]
            )
        return
    if not any(scope.loop for scope in trace.scopes):
        word = "break" if isinstance(jump, Break) else "continue"
        raise TraceError(f"{word} stands outside a loop", jump.loc, hints=["open one with k.range or k.loop"])


def array_type(element: type[Any], shape: Sequence[int], loc: Loc | None) -> Array:
    """One flat array for memory of any shape; extents are Python ints above 0."""
    count = 1
    for extent in shape:
        if not isinstance(extent, int) or isinstance(extent, bool) or extent < 1:
            raise KernelTypeError(
                f"an extent of memory is a positive int, not {extent!r}",
                loc,
                notes=["the size of memory is part of the kernel's text"],
                hints=["write a number, or a static parameter: size: sd.Static[int]"],
            )
        count *= extent
    if not shape:
        raise KernelTypeError("memory needs a shape", loc, hints=["k.shared(f32, 64); one value is k.shared(f32, 1)"])
    return Array(type_of(element, loc), count)


def without_atomics(array: Array, loc: Loc | None) -> Array:
    """The memory of one invocation holds no atomics."""
    if holds_atomic(array):
        raise KernelTypeError(
            "atomics live in buffers and in shared memory", loc, hints=["write k.shared(sd.Atomic[u32], 64)"]
        )
    return array


def struct_of_flags(array: Array) -> bool:
    """Whether a structure in the array holds a bool: scalars and vectors of bool become words, a structure would change its type."""
    inner = array.element
    while isinstance(inner, Array):
        inner = inner.element
    return isinstance(inner, Struct) and mentions(inner, BOOL)


def module_memory(element: type[E], shape: Sequence[int], space: AddressSpace) -> Memory[E]:
    loc = here()
    trace = current(loc)
    if trace.workgroup_size is None:
        raise TraceError(
            f"{space.value} memory is declared in a kernel, not in a function", loc, hints=["pass values in and out"]
        )
    array = array_type(element, shape, loc)
    if space is AddressSpace.PRIVATE:
        without_atomics(array, loc)
    elif struct_of_flags(array):
        raise KernelTypeError(
            "shared memory holds no structure with a bool",
            loc,
            hints=["make the member u32, and compare it: s.flag != 0"],
        )
    variable = Variable(trace.name_at(loc) or space.value, array, space, loc)
    trace.shared.append(variable)
    return Memory(variable, shape, trace.scopes[0], writable=True)


def check_format(format: object, types: Sequence[Type], loc: Loc | None) -> None:
    """A format's fields must be as many as its values, and their codes must fit the types."""
    if not isinstance(format, str):
        raise KernelTypeError(
            "k.print takes a format first", loc, hints=['write k.print("x={}", x), with one {} for each value']
        )
    samples = [True if t == BOOL else 1.5 if is_float(t) else 1 for t in types]
    try:
        format.format(*samples)
        fits = format.replace("{{", "").replace("}}", "").count("{") == len(samples)
    except (IndexError, KeyError, ValueError):
        fits = False
    if not fits:
        given = ", ".join(str(t) for t in types) or "no value"
        raise KernelTypeError(
            f"the format {format!r} does not take {given}", loc, hints=["write one {} or {:.3f} for each value"]
        )
