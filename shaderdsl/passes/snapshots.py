"""Snapshots become text: each Let is inlined where that changes nothing, or stays a `let`.

A Let is inlined if the user did not name it, it is read once, in the same block, nothing that it loads may have been written in between
(a write version per variable answers that, never a scan), and the result nests no deeper than 32.

    let t = x[i];  let u = t + 1f;  y[i] = u;        y[i] = x[i] + 1f;
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from shaderdsl.analysis.effects import Effects, effects_of
from shaderdsl.ir.expr import AddressSpace, Expr, Load, Read, Slot, Variable, root_of
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import Block, Let, Range, Stmt
from shaderdsl.ir.walk import slots_read, statements, with_blocks, with_expressions, with_operands
from shaderdsl.passes.functions import on_blocks

DEEPEST = 32
"""Operations nested in one another on one line; both compilers accept much more, readers do not."""

SHARED_SPACES = (AddressSpace.STORAGE, AddressSpace.WORKGROUP)


def materialise_snapshots(kernel: Kernel) -> Kernel:
    """`kernel` with every Let that may move inlined into its one reader."""
    return on_blocks(kernel, lambda block: inline_block(block, read_counts(block)))


def read_counts(block: Block) -> Counter[Slot]:
    """How often each slot is read."""
    return Counter(slot for stmt in statements(block) for slot in slots_read(stmt))


@dataclass(frozen=True, slots=True)
class Pending:
    """A Let that its reader may take: where it stands, how deep it nests, what it loads and since when."""

    index: int
    value: Expr
    depth: int
    since: int
    roots: frozenset[Variable]


@dataclass(slots=True)
class Window:
    """The block being rewritten: its statements so far, pending Lets, and when each variable was last written."""

    out: list[Stmt | None] = field(default_factory=list[Stmt | None])
    pending: dict[Slot, Pending] = field(default_factory=dict[Slot, Pending])
    written: dict[Variable, int] = field(default_factory=dict[Variable, int])
    barrier: int = -1
    clock: int = 0

    def fresh(self, found: Pending) -> bool:
        """Whether nothing that the Let loads may have changed since."""
        return all(self.written.get(v, -1) < found.since and not self.crossed(v, found.since) for v in found.roots)

    def crossed(self, variable: Variable, since: int) -> bool:
        return variable.space in SHARED_SPACES and self.barrier >= since

    def note(self, effects: Effects) -> None:
        for variable in effects.writes:
            self.written[variable] = self.clock
        if effects.barrier:
            self.barrier = self.clock


@dataclass(slots=True)
class Inlining:
    """One expression being rebuilt, with the facts of what went into it."""

    window: Window
    loads_allowed: bool
    depth: int = 0
    since: int = 0
    roots: frozenset[Variable] = frozenset()

    def rebuild(self, expr: Expr) -> Expr:
        """`expr` with pending Lets in the place of their reads."""
        self.since = self.window.clock
        new, self.depth = self.inside(expr)
        return new

    def inside(self, expr: Expr) -> tuple[Expr, int]:
        if isinstance(expr, Read):
            return self.taken(expr)
        depth = 0

        def one(operand: Expr) -> Expr:
            nonlocal depth
            new, inner = self.inside(operand)
            depth = max(depth, inner)
            return new

        new = with_operands(expr, one)
        if isinstance(new, Load):
            self.roots |= {root_of(new.place)}
        return new, depth + 1

    def taken(self, read: Read) -> tuple[Expr, int]:
        """The pending value of a slot, if it may move here; else the read itself."""
        found = self.window.pending.pop(read.slot, None)
        if found is None or found.depth >= DEEPEST or not self.window.fresh(found):
            return read, 0
        if found.roots and not self.loads_allowed:
            return read, 0
        self.window.out[found.index] = None
        self.since = min(self.since, found.since)
        self.roots |= found.roots
        return found.value, found.depth


def inline_block(block: Block, counts: Counter[Slot]) -> Block:
    """One block, and the blocks inside it, rewritten in one pass."""
    window = Window()
    for stmt in block:
        window.clock += 1
        rewritten, last = rewrite(stmt, window)
        if isinstance(rewritten, Let) and rewritten.slot.name is None and counts[rewritten.slot] == 1:
            window.pending[rewritten.slot] = Pending(
                len(window.out), rewritten.value, last.depth, last.since, last.roots
            )
        rewritten = with_blocks(rewritten, lambda inner: inline_block(inner, counts))
        window.out.append(rewritten)
        window.note(effects_of(rewritten))
    return tuple(s for s in window.out if s is not None)


def rewrite(stmt: Stmt, window: Window) -> tuple[Stmt, Inlining]:
    """A statement with what may move into its expressions. A loop's stop and step are read every turn: no loads there."""
    last = Inlining(window, loads_allowed=not isinstance(stmt, Range))

    def one(expr: Expr) -> Expr:
        nonlocal last
        last = Inlining(window, loads_allowed=not isinstance(stmt, Range))
        return last.rebuild(expr)

    return with_expressions(stmt, one), last
