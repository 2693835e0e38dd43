"""Statements of generated programs: definitions, stores, branches, loops, debugging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shaderdsl.ir.types import BOOL, F32, I32, U32, Array, Atomic, Matrix, Scalar, Type, Vector, scalar_of
from shaderdsl.testing.programs_memory import WRITABLE, Spot, own_only, parts, read, spot
from shaderdsl.testing.programs_state import Memory, Mode, Space, State
from shaderdsl.testing.programs_terms import SMALL, STORED, Term, fits, fitted, spell, within
from shaderdsl.testing.programs_values import makeable
from shaderdsl.testing.programs_wholes import value

ROOM = 448.0
VARIABLE = (512.0, 4)
"""What a float variable may reach: STORED at each assignment, and what `+=` adds on top."""
SCALAR_TYPES: tuple[Type, ...] = (F32, F32, F32, I32, I32, U32, U32, BOOL)
VECTOR_TYPES = (*(Vector(n, s) for n in (2, 3, 4) for s in (F32, I32, U32)), Vector(2, BOOL), Vector(3, BOOL))
MATRIX_TYPES = (Matrix(2, 2, F32), Matrix(2, 3, F32), Matrix(3, 2, F32), Matrix(3, 3, F32))
TYPES: tuple[Type, ...] = (*SCALAR_TYPES, *VECTOR_TYPES, *MATRIX_TYPES)
WIDEST_LOOP = 48
"""The most turns of nested loops together."""


def some_type(state: State) -> Type:
    return state.pick(TYPES)


def define(state: State) -> None:
    """`t = expression`: a snapshot that later statements may use."""
    term = value(state, some_type(state), uniform=state.chance(0.15))
    name = state.name()
    state.add(f"{name} = {term.text}")
    state.frames[-1].terms.append(replace(term, text=name))


def snapshot(state: State) -> None:
    """A read of memory under a name, held for later."""
    found = [
        m for m in state.memories(Space.VAR, Space.SHARED, Space.OWN, Space.ARRAY, Space.PRIVATE) if scalar_of(m.type)
    ]
    if not found:
        define(state)
        return
    memory = state.pick(found)
    at = spot(state, memory, own=own_only(state, memory))
    name = state.name()
    state.add(f"{name} = {at.read}")
    state.frames[-1].terms.append(within(Term(name, at.type), memory.bound))


def hold(state: State) -> None:
    """Values that Python keeps in a list: snapshots without a name, used after later stores."""
    name = state.name()
    kept: list[Term] = []
    for _ in range(state.between(1, 3)):
        wanted = state.pick(SCALAR_TYPES)
        kept.append(read(state, wanted) or value(state, wanted) if state.chance(0.7) else value(state, wanted))
    state.add(f"{name} = [{', '.join(t.text for t in kept)}]")
    held = [replace(t, text=f"{name}[{i}]", uniform=False) for i, t in enumerate(kept)]
    state.frames[-1].terms += held * 2


def overwrite(state: State, at: Spot) -> None:
    """A store to a place: bare, under a condition, or in a loop."""
    text = f"{at.write} = {small(state, at.type, SMALL).text}"
    shape = state.between(0, 3)
    if shape == 0:
        state.add(text)
        return
    if shape == 1:
        state.add(f"with k.if_({condition(state).text}):")
    else:
        state.add(f"for {state.name()} in k.range({state.between(1, 2)}):")
    state.add("    " + text)


def overtake(state: State) -> None:
    """A value without a name, read once, after something that may write what it was read from."""
    found = [m for m in writable(state) if m.space is not Space.MADE and isinstance(m.type, Scalar | Vector)]
    if not found:
        hold(state)
        return
    memory = state.pick(found)
    at = spot(state, memory, own=memory.own != "")
    name = state.name()
    state.add(f"{name} = [{at.read}]")
    overwrite(state, at)
    term = fitted(within(Term(f"{name}[0]", at.type), memory.bound), STORED)
    if state.chance(0.5):
        kept = state.name()
        state.add(f"{kept} = sd.select({term.text}, {small(state, at.type, SMALL).text}, {condition(state).text})")
        state.frames[-1].terms.append(replace(term, text=kept))
        return
    state.add(f"{at.write} = {term.text}")


def paced(state: State) -> None:
    """A loop whose bound is read from memory that its body changes; the turns it took come back."""
    found = [m for m in writable(state) if m.space is not Space.MADE and m.type in (I32, U32)]
    if not found or state.turns * 3 > WIDEST_LOOP:
        overtake(state)
        return
    memory = state.pick(found)
    at = spot(state, memory, own=memory.own != "")
    count = state.name()
    state.add(f"{count} = k.var({at.type}(0))")
    state.add(f"for {state.name()} in k.range({at.read} & 3):")
    state.add(f"    {at.write} = {small(state, at.type).text}")
    state.add(f"    {count} += 1")
    state.frames[-1].memories.append(Memory(count, at.type, Space.VAR))


def declare(state: State) -> None:
    """A variable, of any type that has a first value."""
    structs = [t for t in state.structs if not any(isinstance(m.type, Array) for m in t.members)]
    wanted = state.pick(structs) if structs and state.chance(0.2) else some_type(state)
    first = small(state, wanted)
    name = state.name()
    state.add(f"{name} = k.var({first.text})")
    bound = VARIABLE if isinstance(wanted, Scalar | Vector) else STORED
    state.frames[-1].memories.append(Memory(name, wanted, Space.VAR, bound=bound, room=ROOM))


def declare_array(state: State) -> None:
    wanted = state.pick([t for t in TYPES if not isinstance(t, Matrix)])
    extents = (state.between(2, 5),) if state.chance(0.7) else (2, state.between(2, 3))
    name = state.name()
    state.add(f"{name} = k.array({spell(wanted)}, {', '.join(map(str, extents))})")
    state.frames[-1].memories.append(Memory(name, wanted, Space.ARRAY, extents, bound=STORED))


def small(state: State, type: Type, bound: tuple[float, int] = STORED) -> Term:
    """A term that may be stored where `bound` is promised."""
    for depth in (2, 1, 0):
        term = fitted(value(state, type, depth=depth), bound)
        if fits(term, bound):
            return term
    return fitted(value(state, type, depth=0), bound)


def writable(state: State, space: tuple[Space, ...] = WRITABLE) -> list[Memory]:
    """Memory that may be written here."""
    found = state.memories(*space)
    found = [m for m in found if not isinstance(m.type, Atomic)]
    return [m for m in found if m.space not in (Space.SHARED, Space.OWN) or own_only(state, m)]


def store(state: State) -> None:
    """An assignment to a variable, an element, a member or a component."""
    found = writable(state)
    if not found:
        define(state)
        return
    memory = state.pick(found)
    at = spot(state, memory, own=memory.space in (Space.SHARED, Space.OWN, Space.MADE))
    options = [at, *parts(state, at)] if memory.space is not Space.MADE or state.chance(0.3) else [at]
    options = [o for o in options if not isinstance(o.type, Array) and makeable(state, o.type)]
    if not options:
        return
    chosen = state.pick(options)
    term = small(state, chosen.type) if memory.space is not Space.MADE else value(state, chosen.type)
    if fits(term, STORED) or memory.space is Space.MADE:
        state.add(f"{chosen.write} = {term.text}")


def update(state: State) -> None:
    """`+=` and its kin; what floats may still gain is counted."""
    found = [
        m for m in writable(state, (Space.VAR,)) if isinstance(m.type, Scalar | Vector) and scalar_of(m.type) != BOOL
    ]
    if not found:
        declare(state)
        return
    memory = state.pick(found)
    if scalar_of(memory.type) == F32:
        update_float(state, memory)
        return
    term = value(state, memory.type)
    op = state.pick(["+=", "-=", "*=", "&=", "|=", "^="])
    if state.chance(0.15):
        state.add(f"{memory.name} {state.pick(['<<=', '>>='])} {state.between(0, 31)}")
        return
    state.add(f"{memory.name} {op} {term.text}")


def update_float(state: State, memory: Memory) -> None:
    if state.chance(0.2):
        state.add(f"{memory.name} *= -1")
        return
    limit = memory.room / state.turns
    term = fitted(value(state, memory.type), (2.0 ** max(-2, int(limit).bit_length() - 3), 4))
    gain = (term.top or 0.0) * state.turns
    if term.bits > 4 or gain > memory.room:
        return
    memory.room -= gain
    state.add(f"{memory.name} {state.pick(['+=', '-='])} {term.text}")


def condition(state: State, *, uniform: bool = False) -> Term:
    return value(state, BOOL, uniform=uniform)


def branch(state: State, body: Callable[[State], None]) -> None:
    """if, elif, else."""
    uniform = state.flow_uniform and state.chance(0.5)
    before = state.flow_uniform
    modes = dict(state.modes)
    state.flow_uniform = before and uniform
    opening = "if_"
    arms = 1 + (state.chance(0.5) and state.between(1, 2))
    for number in range(arms):
        last = number == arms - 1 and arms > 1 and state.chance(0.7)
        state.add(f"with k.{opening}({condition(state, uniform=uniform).text}):" if not last else "with k.else_():")
        arm(state, body, modes)
        opening = "elif_"
    state.flow_uniform = before


def arm(state: State, body: Callable[[State], None], modes: dict[str, Mode]) -> None:
    """A block that leaves shared memory as it found it."""
    with state.block():
        body(state)
        settle(state, modes)


def settle(state: State, modes: dict[str, Mode]) -> None:
    """Come back to the modes at the start of the block, by a barrier if need be."""
    changed = [name for name, mode in modes.items() if state.modes[name] is not mode]
    if changed and state.flow_uniform:
        for line in sorted({"k.storage_barrier()" if name in state.buffers else "k.barrier()" for name in changed}):
            state.add(line)
    state.modes.update(modes)


def counted(state: State, body: Callable[[State], None]) -> None:
    """`for i in k.range(...)`: up or down, with steps, i32 or u32."""
    turns = state.between(0, 4) if state.chance(0.9) else 0
    if state.turns * max(turns, 1) > WIDEST_LOOP:
        return
    uniform = state.flow_uniform and state.chance(0.6)
    text, kind, top = bounds(state, turns, uniform)
    name = state.name()
    state.add(f"for {name} in k.range({text}):")
    index = Term(name, kind, top, uniform=uniform)

    def inside(inner: State) -> None:
        if inner.chance(0.3):
            inner.add(
                f"k.{inner.pick(['continue_if', 'continue_if', 'break_if'])}(({name} & 1) == {inner.between(0, 1)})"
            )
        body(inner)

    turn(state, inside, max(turns, 1), uniform, index)


def bounds(state: State, turns: int, uniform: bool) -> tuple[str, Type, float | None]:
    """Start, stop and step of a loop of at most `turns` turns."""
    step = state.between(1, 3)
    shape = state.between(0, 4)
    if shape == 0:
        return str(turns), U32, float(turns)
    if shape == 1:
        return f"i32({turns * step}), {-state.between(0, 1)}, {-step}", I32, None
    if shape == 2:
        start = state.between(-4, 4)
        return f"i32({start}), {start + turns * step - state.between(0, step - 1)}, {step}", I32, None
    limit = value(state, U32, uniform=uniform)
    if shape == 3:
        return f"{limit.text} % {turns + 1}", U32, float(turns)
    moved = value(state, I32, uniform=uniform, depth=1)
    return f"({moved.text} & 7), ({moved.text} & 7) + {turns * step}, {step}", I32, float(8 + turns * step)


def turn(state: State, body: Callable[[State], None], turns: int, uniform: bool, index: Term | None) -> None:
    """The body of a loop."""
    before = (state.flow_uniform, state.loop, state.turns)
    modes = dict(state.modes)
    state.flow_uniform = state.flow_uniform and uniform
    state.loop = "uniform" if state.flow_uniform else "divergent"
    state.turns *= turns
    with state.block():
        if index is not None:
            state.frames[-1].terms.append(index)
        body(state)
        settle(state, modes)
    state.flow_uniform, state.loop, state.turns = before


def endless(state: State, body: Callable[[State], None]) -> None:
    """`with k.loop():` with a counter of its own that ends it."""
    turns = state.between(1, 4)
    if state.turns * turns > WIDEST_LOOP:
        return
    uniform = state.flow_uniform and state.chance(0.4)
    counter = state.name()
    state.add(f"{counter} = k.var(u32(0))")
    state.add("with k.loop():")

    def inside(inner: State) -> None:
        inner.add(f"k.break_if({counter}.value >= {turns})")
        inner.add(f"{counter} += 1")
        body(inner)

    turn(state, inside, turns, uniform, None)


def jump(state: State) -> None:
    """Leave a loop or its turn, where no barrier of the loop is missed."""
    if state.loop is None or (state.loop == "uniform" and not state.flow_uniform):
        store(state)
        return
    test = condition(state, uniform=state.loop == "uniform").text
    state.add(f"k.{state.pick(['break_if', 'continue_if'])}({test})")


def leave(state: State) -> None:
    """End the invocation early, where nobody waits for it."""
    if not state.may_return:
        store(state)
        return
    state.add(f"k.return_if({condition(state).text})")


def debug(state: State) -> None:
    """A line of the log, or a claim that holds."""
    if state.inside == "function":
        store(state)
        return
    if state.chance(0.5):
        term = value(state, state.pick([F32, I32, U32]))
        state.add(f'k.print("{{}}", {term.text})')
    else:
        a, b = value(state, I32, depth=1), value(state, I32, depth=1)
        state.add(f'k.assert_(({a.text} < {b.text}) | ({a.text} >= {b.text}), "integers are ordered")')
