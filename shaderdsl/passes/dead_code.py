"""Drop what nobody reads: pure Lets, branches with nothing in them, and the result slots of atomics and calls."""

from __future__ import annotations

from dataclasses import replace

from shaderdsl.ir.expr import Slot
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import AtomicCall, AtomicOp, Block, CallFunction, If, Let, Stmt
from shaderdsl.ir.walk import slots_read, with_blocks
from shaderdsl.passes.functions import on_blocks


def dead_code(kernel: Kernel) -> Kernel:
    """`kernel` without computations whose results are not used. Stores, barriers and control flow stay."""
    return on_blocks(kernel, lambda block: live(block, set()))


def live(block: Block, read: set[Slot]) -> Block:
    """The statements of `block` that matter, given what is read after it; `read` grows by what they read."""
    kept: list[Stmt] = []
    for stmt in reversed(block):
        alive = keep(stmt, read)
        if alive is None:
            continue
        alive = with_blocks(alive, lambda inner: live(inner, read))
        if isinstance(alive, If) and not alive.then and not alive.orelse:
            continue
        read.update(slots_read(alive))
        kept.append(alive)
    return tuple(reversed(kept))


def keep(stmt: Stmt, read: set[Slot]) -> Stmt | None:
    """The statement, without a result that is not read; None where nothing of it matters."""
    match stmt:
        case Let(slot) if slot not in read:
            return None
        case AtomicCall(slot, op) if slot is not None and slot not in read:
            return None if op is AtomicOp.LOAD else replace(stmt, slot=None)
        case CallFunction(slot, function) if slot is not None and slot not in read:
            return None if function.pure else replace(stmt, slot=None)
        case _:
            return stmt
