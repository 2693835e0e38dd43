"""Atomic operations in lane order, which is one of the orders that a device may choose."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import InternalError
from shaderdsl.interp.lanes import Lanes, Mask
from shaderdsl.interp.places import Target, out_of_range, pick
from shaderdsl.ir.stmt import AtomicOp

UFUNCS: dict[AtomicOp, np.ufunc] = {
    AtomicOp.ADD: np.add,
    AtomicOp.SUB: np.subtract,
    AtomicOp.MAX: np.maximum,
    AtomicOp.MIN: np.minimum,
    AtomicOp.AND: np.bitwise_and,
    AtomicOp.OR: np.bitwise_or,
    AtomicOp.XOR: np.bitwise_xor,
}


def atomic(lanes: Lanes, op: AtomicOp, target: Target, operands: list[Any], mask: Mask, *, wanted: bool) -> Any:
    """Apply `op` for each active lane in turn; the values before, if `wanted` (for a compare-exchange with its success)."""
    array = target.memory
    if isinstance(array, tuple):
        raise InternalError("an atomic structure")
    active = np.flatnonzero(mask)
    chosen = tuple(np.broadcast_to(pick(i, active), active.shape) for i in target.indices)
    outside = out_of_range(array, chosen)
    if outside is not None:
        active = active[~outside]
        chosen = tuple(c[~outside] for c in chosen)
    flat = np.ravel_multi_index(chosen, array.shape) if len(active) else active
    values = [np.broadcast_to(pick(np.asarray(v), active), active.shape) for v in operands]
    old = np.zeros(lanes.count, array.dtype)
    stored = np.zeros(lanes.count, np.bool_)
    memory = array.reshape(-1)
    with np.errstate(over="ignore"):
        if op in UFUNCS and not wanted:
            UFUNCS[op].at(memory, flat, values[0])
        else:
            one_by_one(op, memory, flat, values, active, old, stored)
    array[...] = memory.reshape(array.shape)
    return (old, stored) if op is AtomicOp.COMPARE_EXCHANGE_WEAK else old


def one_by_one(
    op: AtomicOp,
    memory: NDArray[Any],
    flat: NDArray[np.int64],
    values: list[NDArray[Any]],
    active: NDArray[np.int64],
    old: NDArray[Any],
    stored: NDArray[np.bool_],
) -> None:
    """Lanes in order, each seeing the writes before it."""
    for position, (lane, address) in enumerate(zip(active, flat)):
        before = old[lane] = memory[address]
        match op:
            case AtomicOp.LOAD:
                continue
            case AtomicOp.STORE | AtomicOp.EXCHANGE:
                memory[address] = values[0][position]
            case AtomicOp.COMPARE_EXCHANGE_WEAK:
                if before == values[0][position]:
                    memory[address] = values[1][position]
                    stored[lane] = True
            case _:
                memory[address] = UFUNCS[op](before, values[0][position])
