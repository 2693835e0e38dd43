"""What a statement may change: the variables it writes, directly or through calls, and whether it holds a barrier."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from shaderdsl.ir.expr import Variable, root_of
from shaderdsl.ir.stmt import Barrier, CallFunction, Collective, Function, Stmt, UniformLoad
from shaderdsl.ir.walk import blocks, statements, written_place


@dataclass(frozen=True, slots=True)
class Effects:
    """`barrier`: other invocations' writes become visible, so every load of shared or storage memory may differ after it."""

    writes: frozenset[Variable]
    barrier: bool


NOTHING = Effects(frozenset(), barrier=False)


def effects_of(stmt: Stmt) -> Effects:
    """The effects of a statement, with those of its blocks."""
    direct = own_effects(stmt)
    inner = [own_effects(s) for block in blocks(stmt) for s in statements(block)]
    if not inner:
        return direct
    return union([direct, *inner])


@lru_cache(maxsize=256)
def effects_of_function(function: Function) -> Effects:
    """The effects of calling a function; found once, since functions that call one another twice make exponentially many calls."""
    return union([own_effects(s) for s in statements(function.body)])


def own_effects(stmt: Stmt) -> Effects:
    place = written_place(stmt)
    if place is not None:
        return Effects(frozenset({root_of(place)}), barrier=False)
    if isinstance(stmt, Barrier | Collective | UniformLoad):
        return Effects(frozenset(), barrier=True)
    if isinstance(stmt, CallFunction):
        return NOTHING if stmt.function.pure else effects_of_function(stmt.function)
    return NOTHING


def union(parts: list[Effects]) -> Effects:
    writes: set[Variable] = set()
    for part in parts:
        writes |= part.writes
    return Effects(frozenset(writes), any(p.barrier for p in parts))
