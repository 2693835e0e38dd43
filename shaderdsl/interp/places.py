"""Loads and stores of places: fancy indexing over lanes. A load out of range gives zero, a store out of range is dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import InternalError
from shaderdsl.interp.lanes import Lanes, Mask
from shaderdsl.ir.expr import AddressSpace, ElementOf, Expr, MemberOf, Place, Variable, Whole
from shaderdsl.ir.types import Struct
from shaderdsl.numeric.host import Memory

Evaluate: TypeAlias = Callable[[Expr], Any]


@dataclass(frozen=True, slots=True)
class Target:
    """A resolved place: the memory it lies in, and one index array for each axis in front of its value."""

    variable: Variable
    memory: Memory
    indices: tuple[NDArray[np.int64], ...]


def resolve(lanes: Lanes, place: Place, evaluate: Evaluate) -> Target:
    """The memory and indices of a place, for all lanes."""
    match place:
        case Whole(variable):
            return Target(variable, lanes.memory_of(variable), batch_index(lanes, variable))
        case ElementOf(base, index):
            inner = resolve(lanes, base, evaluate)
            return replace(inner, indices=(*inner.indices, as_index(evaluate(index))))
        case MemberOf(base, name):
            inner = resolve(lanes, base, evaluate)
            if isinstance(base.type, Struct):
                position = next(i for i, m in enumerate(base.type.members) if m.name == name)
                if not isinstance(inner.memory, tuple):
                    raise InternalError(f"{base.type} is not in a tuple")
                return replace(inner, memory=inner.memory[position])
            component = "xyzw".index(name) if name in "xyzw" else "rgba".index(name)
            return replace(inner, indices=(*inner.indices, np.array([component])))


def batch_index(lanes: Lanes, variable: Variable) -> tuple[NDArray[np.int64], ...]:
    """The axis in front of a variable's own: none for storage, the workgroup for shared memory, else the lane."""
    match variable.space:
        case AddressSpace.STORAGE | AddressSpace.CONSTANT:
            return ()
        case AddressSpace.WORKGROUP:
            return (lanes.group_of,)
        case _:
            return (np.arange(lanes.count),)


def as_index(value: Any) -> NDArray[np.int64]:
    return np.asarray(value).astype(np.int64)


def load(target: Target) -> Any:
    """What the place holds for each lane; zero out of range."""
    if isinstance(target.memory, tuple):
        return tuple(load(replace(target, memory=part)) for part in target.memory)
    array, indices = target.memory, target.indices
    if not indices:
        return array[np.newaxis].copy()
    if target.variable.space in (AddressSpace.FUNCTION, AddressSpace.PRIVATE) and len(indices) == 1:
        return array.copy()
    outside = out_of_range(array, indices)
    if outside is None:
        return array[indices]
    safe = tuple(np.where(outside, 0, i) for i in indices)
    if 0 in array.shape[: len(indices)]:
        return np.zeros((*outside.shape, *array.shape[len(indices) :]), array.dtype)
    found = array[safe]
    found[outside] = 0
    return found


def out_of_range(array: NDArray[Any], indices: tuple[NDArray[np.int64], ...]) -> Mask | None:
    """Where some index lies outside its axis, or None where all lie inside."""
    bad = [(i < 0) | (i >= extent) for i, extent in zip(indices, array.shape)]
    if not any(b.any() for b in bad):
        return None
    return np.logical_or.reduce(np.broadcast_arrays(*bad))


def store(lanes: Lanes, target: Target, value: Any, mask: Mask) -> None:
    """Write the active lanes' values, in lane order; out of range is dropped."""
    if isinstance(target.memory, tuple):
        for part, inner in zip(target.memory, value):
            store(lanes, replace(target, memory=part), inner, mask)
        return
    array, indices = target.memory, target.indices
    if not indices:
        raise InternalError("a store to a whole buffer")
    active = np.flatnonzero(mask)
    chosen = tuple(pick(i, active) for i in indices)
    outside = out_of_range(array, chosen)
    new = pick(np.asarray(value), active)
    if outside is not None:
        inside = ~np.broadcast_to(outside, active.shape)
        chosen = tuple(pick_where(i, inside) for i in chosen)
        new = pick_where(new, inside)
    array[chosen] = new


def pick(array: NDArray[Any], active: NDArray[np.int64]) -> NDArray[Any]:
    """The active lanes of a per-lane array; a uniform one as it is."""
    return array if array.shape[0] == 1 else array[active]


def pick_where(array: NDArray[Any], inside: Mask) -> NDArray[Any]:
    return array if array.shape[0] == 1 else array[inside]


def assign(lanes: Lanes, variable: Variable, value: Any, mask: Mask) -> None:
    """Give a whole function or private variable its value in the active lanes."""
    lanes.memory[variable] = merge(lanes.memory[variable], value, mask)


def merge(old: Memory, new: Any, mask: Mask) -> Memory:
    """`new` where the mask holds, `old` elsewhere; whole values, whatever their type."""
    if isinstance(old, tuple):
        return tuple(merge(part, new[position], mask) for position, part in enumerate(old))
    shape = mask.reshape(-1, *[1] * (np.ndim(old) - 1))
    return np.where(shape, new, old)
