"""The trace in progress: scopes that collect statements, and what the kernel has asked for so far.

The current trace is the one hidden state of the language (a ContextVar, so that threads trace side by side).
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from shaderdsl.errors import Related, ScopeError, TraceError
from shaderdsl.ir.expr import Expr, Read, ReadParam, Slot, Variable
from shaderdsl.ir.kernel import ZERO, Domain
from shaderdsl.ir.stmt import Break, Continue, Function, If, Let, Return, Stmt
from shaderdsl.ir.types import U32, Type
from shaderdsl.lang.scan import Position, Scan, scan
from shaderdsl.source import Loc, positions

DEEPEST_BLOCK = 60
"""Blocks nested in one another; Tint refuses somewhat more than twice that, and a kernel's text adds a few of its own."""


@dataclass(slots=True, eq=False)
class Scope:
    """A block being traced. `loop` marks a loop; `ended` that nothing after this point can run; `chain` is the if that an else may
    follow, `links` how many branches it has. `depth` counts blocks around it, and a chain's branches as what they are: one in another."""

    trace: Trace
    loc: Loc | None
    loop: bool = False
    stmts: list[Stmt] = field(default_factory=list[Stmt])
    open: bool = True
    ended: bool = False
    exits: bool = False
    chain: If | None = None
    links: int = 0
    depth: int = 0


@dataclass(slots=True, eq=False)
class Trace:
    """What tracing one kernel or function has gathered.

    params: fields of the uniform by name, the user's first. awaited: blocks that were made and not entered. functions: by what made them, which lives as long as the trace. meeting: functions that hold a barrier. left: an early exit. axes and zero: the other fields, where used. shared: module-scope variables.
    """

    name: str
    loc: Loc | None
    workgroup_size: tuple[int, int, int] | None
    params: dict[str, Type] = field(default_factory=dict[str, Type])
    axes: dict[str, None] = field(default_factory=dict[str, None])
    zero: bool = False
    shared: list[Variable] = field(default_factory=list[Variable])
    functions: dict[object, Function] = field(default_factory=dict[object, Function])
    unfinished: set[object] = field(default_factory=set[object])
    written: set[Variable] = field(default_factory=set[Variable])
    pure: bool = True
    domain: Domain | None = None
    domain_loc: Loc | None = None
    result: Type | None = None
    scopes: list[Scope] = field(default_factory=list[Scope])
    scans: dict[int, Scan | None] = field(default_factory=dict[int, Scan | None])
    moved: dict[Slot, Scope] = field(default_factory=dict[Slot, Scope])
    definitions: dict[Slot, Expr] = field(default_factory=dict[Slot, Expr])
    awaited: dict[object, tuple[str, str, Loc]] = field(default_factory=dict[object, tuple[str, str, Loc]])
    meeting: set[object] = field(default_factory=set[object])
    meets: bool = False
    left: Loc | None = None

    @property
    def scope(self) -> Scope:
        """The innermost open block."""
        return self.scopes[-1]

    def push(self, loc: Loc | None, *, loop: bool = False, links: int = 0) -> Scope:
        """Open a block; `links`: after how many branches of a chain."""
        depth = links + (self.scopes[-1].depth + 1 if self.scopes else 0)
        if depth > DEEPEST_BLOCK:
            raise TraceError(
                f"blocks nest deeper than {DEEPEST_BLOCK}",
                loc,
                hints=["join conditions with &, or move the inner part to a function"],
            )
        scope = Scope(self, loc, loop, depth=depth)
        self.scopes.append(scope)
        return scope

    def pop(self, scope: Scope) -> tuple[Stmt, ...]:
        """Close a block and give its statements."""
        if self.scopes[-1] is not scope:
            raise TraceError(
                "a block was left before it ended",
                self.scopes[-1].loc,
                hints=["use k.break_if, k.continue_if or k.return_if inside traced blocks"],
            )
        if len(self.scopes) == 1:
            self.refuse_awaited()
        self.scopes.pop()
        scope.open = False
        return tuple(scope.stmts)

    def await_(self, block: object, name: str, form: str, loc: Loc) -> None:
        """Note a block that was made and must be entered, or it would mean nothing in silence."""
        self.awaited[block] = (name, form, loc)

    def arrived(self, block: object, loc: Loc) -> None:
        """Note that a block is entered, once."""
        if self.awaited.pop(block, None) is None:
            raise TraceError("a block is entered twice", loc, hints=["make a new one for each with or for statement"])

    def refuse_awaited(self) -> None:
        for name, form, loc in self.awaited.values():
            raise TraceError(f"{name} does nothing here", loc, hints=[f"write {form}"])

    def emit(self, stmt: Stmt) -> None:
        """Append a statement to the innermost block."""
        scope = self.scopes[-1]
        if scope.ended:
            raise TraceError(
                "this can never run", stmt.loc, notes=["the block has ended before it by break, continue or return"]
            )
        scope.stmts.append(stmt)
        if isinstance(stmt, Break | Continue | Return):
            scope.ended = True
        if isinstance(stmt, Break | Return):
            self.mark_exit()

    def mark_exit(self) -> None:
        """Note that the innermost loop can end."""
        for scope in reversed(self.scopes):
            if scope.loop:
                scope.exits = True
                return

    def let(self, value: Expr, loc: Loc | None, *, named: bool = False, name: str | None = None) -> Read:
        """Compute `value` here. If `named`, its name is the Python name that the same source text is assigned to."""
        slot = Slot(self.name_at(loc) if named and loc is not None else name, value.type)
        self.definitions[slot] = value
        self.emit(Let(slot, value, loc))
        return Read(slot, value.type, loc)

    def name_at(self, loc: Loc) -> str | None:
        """The name that the user gave to the result of the operation at `loc`."""
        found, position = self.scan_of(loc), position_of(loc)
        return found.names.get(position) if found is not None and position is not None else None

    def names_at(self, loc: Loc) -> tuple[str, ...]:
        """The names that the user gave to the results of the operation at `loc`, as in `with k.each(n, m) as (i, j)`."""
        found, position = self.scan_of(loc), position_of(loc)
        if found is None or position is None:
            return ()
        name = found.names.get(position)
        return found.tuples.get(position, () if name is None else (name,))

    def scan_of(self, loc: Loc) -> Scan | None:
        """The facts of the source around `loc`, read once per code object."""
        if id(loc.code) not in self.scans:
            self.scans[id(loc.code)] = scan(loc.code)
        return self.scans[id(loc.code)]

    def use_axis(self, name: str, loc: Loc | None) -> ReadParam:
        """The size of a named axis."""
        self.axes.setdefault(name)
        return ReadParam(name, U32, loc)

    def use_zero(self, loc: Loc | None) -> ReadParam:
        """A u32 that is 0 at run time and that no compiler can fold."""
        self.zero = True
        return ReadParam(ZERO, U32, loc)


def position_of(loc: Loc) -> Position | None:
    line, end_line, start, end = positions(loc.code)[loc.lasti // 2]
    if line is None or end_line is None or start is None or end is None:
        return None
    return (line, end_line, start, end)


CURRENT: ContextVar[Trace | None] = ContextVar("shaderdsl_trace", default=None)


def current(loc: Loc | None) -> Trace:
    """The trace in progress."""
    trace = CURRENT.get()
    if trace is None:
        raise TraceError(
            "this belongs inside a kernel", loc, hints=["decorate the function with @sd.kernel and call that"]
        )
    return trace


def in_kernel(what: str, hint: str, loc: Loc | None) -> Trace:
    """The trace, which must be a kernel's: functions do not know the invocation."""
    trace = current(loc)
    if trace.workgroup_size is None:
        raise TraceError(f"{what} stands in a kernel, not in a function", loc, hints=[hint])
    return trace


@contextmanager
def tracing(trace: Trace) -> Generator[Scope]:
    """Make `trace` current with one open scope."""
    token = CURRENT.set(trace)
    try:
        yield trace.push(trace.loc)
    finally:
        CURRENT.reset(token)
        for scope in trace.scopes:
            scope.open = False


def check_live(scope: Scope | None, trace: Trace, origin: Loc | None, loc: Loc | None) -> None:
    """Refuse a value outside the block, kernel or function that defines it."""
    if scope is None or (scope.open and scope.trace is trace):
        return
    related = [Related("the value is defined here", origin)] if origin is not None else []
    if scope.trace is not trace:
        raise ScopeError(
            f"a value of {scope.trace.name} is used in {trace.name}",
            loc,
            related=related,
            hints=["pass it as an argument"],
        )
    raise ScopeError(
        "a value is used outside the block that defines it",
        loc,
        related=related,
        hints=["declare a variable before the block with k.var(...), assign it inside, and read .value after"],
    )
