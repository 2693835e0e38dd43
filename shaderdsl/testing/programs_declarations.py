"""The top of a generated kernel: shared and private memory, tables, and first values, so that nothing is read before it is written."""

from __future__ import annotations

from collections.abc import Sequence

from shaderdsl.ir.types import BOOL, F32, I32, U32, Atomic, Type, Vector
from shaderdsl.testing.programs_layout import COMMUTING
from shaderdsl.testing.programs_state import Memory, Space, State
from shaderdsl.testing.programs_terms import SMALL, STORED, spell
from shaderdsl.testing.programs_wholes import value


def declarations(state: State) -> None:
    """Shared and private memory, tables."""
    if state.group:
        for _ in range(state.between(1, 2)):
            shared_array(state)
        if state.chance(0.35):
            shared_atomics(state)
    if state.chance(0.25):
        module_memory(state, "private", state.pick([F32, I32, Vector(2, U32)]), (3,), "")
    if state.chance(0.35):
        table(state)


def shared_array(state: State) -> None:
    """One element a lane, or two."""
    element = state.pick([F32, F32, I32, U32, Vector(2, F32), Vector(3, I32)])
    if state.chance(0.3):
        module_memory(state, "shared", element, (state.lanes, 2), f"lane, {state.between(0, 1)}")
    else:
        module_memory(state, "shared", element, (state.lanes,), "lane")


def shared_atomics(state: State) -> None:
    name = state.name()
    state.commuting[name] = state.pick(COMMUTING)
    scalar = state.pick([I32, U32])
    state.add(f"{name} = k.shared(sd.Atomic[{scalar}], 3)")
    state.frames[0].memories.append(Memory(name, Atomic(scalar), Space.SHARED, (3,)))


def module_memory(state: State, kind: str, element: Type, shape: tuple[int, ...], own: str) -> None:
    name = state.name()
    state.add(f"{name} = k.{kind}({spell(element)}, {', '.join(map(str, shape))})")
    state.frames[0].memories.append(Memory(name, element, Space(kind), shape, own, STORED))


def table(state: State) -> None:
    """A constant table of small numbers."""
    element = state.pick([F32, I32, U32, BOOL])
    count = state.between(2, 6)
    entries: Sequence[object] = [state.between(0, 9) for _ in range(count)]
    if element == F32:
        entries = [state.between(-32, 32) / 8 or 0.5 for _ in range(count)]
    elif element == BOOL:
        entries = [state.chance(0.5) for _ in range(count)]
    name = state.name()
    state.add(f"{name} = k.table({spell(element)}, [{', '.join(map(str, entries))}])")
    state.frames[0].memories.append(Memory(name, element, Space.TABLE, (count,), bound=SMALL))


def first_values(state: State) -> None:
    """Shared memory is written before it is read (lavapipe zeroes it for the first workgroup only), outputs before anything may leave."""
    shared = state.memories(Space.SHARED)
    for memory in shared:
        first_shared(state, memory)
    if shared:
        state.add("k.barrier()")
    for memory in state.memories(Space.MADE):
        state.add(f"{memory.name}[{memory.own}] = {value(state, memory.type, depth=1).text}")


def first_shared(state: State, memory: Memory) -> None:
    if isinstance(memory.type, Atomic):
        state.add(f"with k.if_(lane < {memory.extents[0]}):")
        state.add(f"    {memory.name}[lane].store({state.between(0, 9)})")
        return
    for column in range(memory.extents[1] if len(memory.extents) > 1 else 1):
        index = "lane" if len(memory.extents) == 1 else f"lane, {column}"
        state.add(f"{memory.name}[{index}] = {value(state, memory.type, fresh=True).text}")
