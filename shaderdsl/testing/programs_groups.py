"""Statements that a workgroup runs together, atomics, and calls of helpers."""

from __future__ import annotations

from dataclasses import replace

from shaderdsl.ir.types import BOOL, F32, I32, U32, Atomic, Scalar, Vector
from shaderdsl.testing.programs_memory import axis_index, read, spot
from shaderdsl.testing.programs_state import FunctionText, Mode, Space, State
from shaderdsl.testing.programs_statements import define, small, store
from shaderdsl.testing.programs_terms import STORED, Term, fitted, within
from shaderdsl.testing.programs_wholes import value

COMMUTING = ("add", "max", "min", "and_", "or_", "xor")


def barrier(state: State) -> None:
    """A barrier, after which each shared memory may be used in the other way."""
    kind = "storage_barrier" if state.buffers and state.chance(0.35) else "barrier"
    state.add(wait_text(state) if kind == "barrier" else "k.storage_barrier()")
    for memory in state.memories(Space.SHARED, Space.OWN):
        ordered = (memory.space is Space.OWN) == (kind == "storage_barrier")
        if ordered and state.chance(0.7):
            now = state.modes[memory.name]
            state.modes[memory.name] = Mode.READ if now is Mode.OWN else Mode.OWN


def exchange(state: State) -> None:
    """Publish, wait, read the neighbour's, wait: the pattern of every tiled kernel."""
    spaces = (Space.OWN,) if state.chance(0.3) else (Space.SHARED,)
    found = [m for m in state.memories(*spaces) if m.own and isinstance(m.type, Scalar | Vector)]
    if not found:
        barrier(state)
        return
    memory = state.pick(found)
    wait = "k.storage_barrier()" if memory.space is Space.OWN else wait_text(state)
    if state.modes[memory.name] is Mode.OWN:
        at = spot(state, memory, own=True)
        state.add(f"{at.write} = {small(state, at.type).text}")
        state.add(wait)
        state.modes[memory.name] = Mode.READ
    at = spot(state, memory, own=False)
    name = state.name()
    state.add(f"{name} = {at.read}")
    state.frames[-1].terms.append(within(Term(name, at.type), memory.bound))
    if state.chance(0.7):
        state.add(wait)
        state.modes[memory.name] = Mode.OWN


def rotate(state: State) -> None:
    """Read a neighbour's element, wait, and write one's own with it: the read must stay on its side of the barrier."""
    found = [m for m in state.memories(Space.SHARED) if m.own and len(m.extents) == 1]
    if not found:
        exchange(state)
        return
    memory = state.pick(found)
    own = spot(state, memory, own=True)
    if state.modes[memory.name] is Mode.OWN:
        state.add(f"{own.write} = {small(state, own.type).text}")
        state.add("k.barrier()")
    name = state.name()
    step = state.pick([1, 2, state.lanes - 1])
    state.add(f"{name} = [{memory.name}[(lane + {step}) % {state.lanes}]]")
    state.add(wait_text(state))
    state.modes[memory.name] = Mode.OWN
    state.add(f"{own.write} = {name}[0]")


def wait_text(state: State) -> str:
    """A barrier, bare or in a function whose result nobody reads."""
    return "sync(k.local_index)" if state.sync and state.chance(0.4) else "k.barrier()"


def uniform_load(state: State) -> None:
    found = [m for m in state.memories(Space.SHARED) if isinstance(m.type, Scalar | Vector | Atomic)]
    if not found:
        barrier(state)
        return
    memory = state.pick(found)
    index = ", ".join(axis_index(state, e, uniform=True) for e in memory.extents)
    name = state.name()
    state.add(f"{name} = k.workgroup_uniform_load({memory.name}.at({index}))")
    wanted = memory.type.scalar if isinstance(memory.type, Atomic) else memory.type
    state.frames[-1].terms.append(within(Term(name, wanted, uniform=True), memory.bound))


def collective(state: State) -> None:
    """A sum, scan, vote or broadcast over the workgroup."""
    op = state.pick(["sum", "max", "min", "any", "all", "broadcast", "inclusive_scan", "exclusive_scan"])
    if op in ("any", "all"):
        wanted = BOOL
    elif op == "broadcast":
        wanted = state.pick([F32, I32, U32, BOOL, Vector(2, F32), Vector(3, U32)])
    else:
        wanted = state.pick([F32, I32, U32])
    operand = fitted(value(state, wanted), STORED)
    lane = f", {value(state, U32, uniform=True, depth=1).text} % {state.lanes}" if op == "broadcast" else ""
    name = state.name()
    state.add(f"{name} = k.group_{op}({operand.text}{lane})")
    many = state.lanes if "scan" in op or op == "sum" else 1
    top = None if operand.top is None else operand.top * many
    state.frames[-1].terms.append(Term(name, wanted, top, operand.bits, uniform="scan" not in op))


def contended(state: State) -> None:
    """An atomic that many invocations touch, always by one operation that commutes."""
    found = [m for m in state.memories(Space.OWN, Space.SHARED) if isinstance(m.type, Atomic) and not m.own]
    found = [m for m in found if m.space is Space.OWN or state.modes[m.name] is Mode.OWN]
    if not found:
        own_atomic(state)
        return
    memory = state.pick(found)
    at = spot(state, memory, own=False)
    scalar = memory.type.scalar if isinstance(memory.type, Atomic) else U32
    state.add(f"{at.read}.{state.commuting[memory.name]}({value(state, scalar).text})")


def own_atomic(state: State) -> None:
    """An atomic that one invocation touches: all operations, with their results."""
    found = [m for m in state.memories(Space.OWN) if isinstance(m.type, Atomic) and m.own]
    if not found:
        store(state)
        return
    memory = state.pick(found)
    scalar = memory.type.scalar if isinstance(memory.type, Atomic) else U32
    at = f"{memory.name}[{memory.own}]"
    op = state.pick([*COMMUTING, "sub", "exchange", "load", "store", "compare_exchange_weak"])
    operand = value(state, scalar).text
    if op == "store" or (op != "load" and state.chance(0.3)):
        arguments = f"{operand}, {value(state, scalar).text}" if op == "compare_exchange_weak" else operand
        state.add(f"{at}.{op}({arguments})")
        return
    name = state.name()
    if op == "compare_exchange_weak":
        state.add(f"{name} = {at}.{op}({operand}, {value(state, scalar).text})")
        state.frames[-1].terms.append(Term(f"{name}.old_value", scalar))
        state.frames[-1].terms.append(Term(f"{name}.exchanged", BOOL))
        return
    state.add(f"{name} = {at}.{op}({'' if op == 'load' else operand})")
    state.frames[-1].terms.append(Term(name, scalar))


def shared_tally(state: State) -> None:
    """What contended shared atomics have come to, read after a barrier."""
    found = [m for m in state.memories(Space.SHARED) if isinstance(m.type, Atomic)]
    found = [m for m in found if state.modes[m.name] is Mode.READ]
    if not found:
        contended(state)
        return
    memory = state.pick(found)
    name = state.name()
    state.add(f"{name} = {spot(state, memory, own=False).read}.load()")
    scalar = memory.type.scalar if isinstance(memory.type, Atomic) else U32
    state.frames[-1].terms.append(Term(name, scalar))


def call(state: State) -> None:
    """A call of a helper, its result under a name."""
    if not state.functions:
        define(state)
        return
    function = state.pick(state.functions)
    name = state.name()
    state.add(f"{name} = {called(state, function)}")
    state.frames[-1].terms.append(replace(function.result, text=name, uniform=False))


def called(state: State, function: FunctionText) -> str:
    """The text of a call, its arguments within the function's bounds."""
    arguments = [fitted(value(state, p), function.bound) for p in function.parameters]
    return f"{function.name}({', '.join(a.text for a in arguments)})"


def between(state: State) -> None:
    """A read, something with an effect, and a use of both, in one expression."""
    kind = state.pick([I32, U32])
    first = read(state, kind) or value(state, kind)
    cells = [m for m in state.memories(Space.OWN) if m.type == Atomic(kind) and m.own]
    if state.group and state.flow_uniform and (not cells or state.chance(0.6)):
        middle = f"k.group_{state.pick(['sum', 'max', 'inclusive_scan'])}({value(state, kind, depth=1).text})"
    elif cells:
        middle = f"{cells[0].name}[{cells[0].own}].{state.pick(COMMUTING)}({value(state, kind, depth=1).text})"
    elif state.functions:
        function = state.pick(state.functions)
        middle = called(state, function)
        middle = middle if function.result.type == kind else f"sd.select({kind}(1), {kind}(2), sd.bool_(True))"
    else:
        define(state)
        return
    name = state.name()
    state.add(f"{name} = ({first.text} {state.pick('+-*')} {middle})")
    state.frames[-1].terms.append(Term(name, kind))
