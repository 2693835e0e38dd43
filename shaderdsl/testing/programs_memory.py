"""Reads and writes of the memory in scope: in range by construction, and free of races."""

from __future__ import annotations

from dataclasses import dataclass

from shaderdsl.ir.types import I32, U32, Array, Atomic, Matrix, Scalar, Struct, Type, Vector
from shaderdsl.testing.programs_state import Memory, Mode, Space, State
from shaderdsl.testing.programs_terms import Term, within

SHARED = (Space.SHARED, Space.OWN)
READABLE = (Space.VAR, Space.ARRAY, Space.PRIVATE, Space.SHARED, Space.TABLE, Space.GIVEN, Space.OWN)
WRITABLE = (Space.VAR, Space.ARRAY, Space.PRIVATE, Space.SHARED, Space.OWN, Space.MADE)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of one memory. read: its value. write: the target of an assignment. part: whether it is a part of what is stored."""

    memory: Memory
    type: Type
    read: str
    write: str
    part: bool = False


def index_of(state: State, memory: Memory, *, own: bool, uniform: bool = False) -> str:
    """Index text: the invocation's own element, or any in range."""
    if own and memory.own:
        return memory.own
    if memory.space is Space.OWN and memory.own and state.group:  # another workgroup's elements may change at any time
        return f"row, {axis_index(state, memory.extents[-1], uniform)}"
    return ", ".join(axis_index(state, extent, uniform) for extent in memory.extents)


def axis_index(state: State, extent: int, uniform: bool) -> str:
    """A number, or an index in scope brought into range."""
    candidates = [t for t in state.terms() if t.type in (U32, I32) and (t.uniform or not uniform)]
    if not candidates or state.chance(0.3):
        return str(state.between(0, extent - 1))
    term = state.pick(candidates)
    if term.type == U32 and term.top is not None and term.top < extent:
        return term.text
    if term.type == U32:
        return f"{term.text} % {extent}"
    return f"sd.mod_floor({term.text}, {extent})" if state.chance(0.5) else f"{term.text}.u32 % {extent}"


def spot(state: State, memory: Memory, *, own: bool, uniform: bool = False) -> Spot:
    """One element of a memory, or the whole of a variable."""
    if memory.space is Space.VAR:
        return Spot(memory, memory.type, f"{memory.name}.value", f"{memory.name}.value")
    index = index_of(state, memory, own=own, uniform=uniform)
    return Spot(memory, memory.type, f"{memory.name}[{index}]", f"{memory.name}[{index}]")


def place_text(at: Spot) -> str:
    """The text of the place itself, whose members are places."""
    if at.memory.space is Space.VAR:
        return at.memory.name
    inside = at.write[len(at.memory.name) + 1 : -1]
    return f"{at.memory.name}.at({inside})"


def parts(state: State, at: Spot) -> list[Spot]:
    """Members, elements and components of a spot, as far as programs use them."""
    owner = place_text(at)
    match at.type:
        case Struct(_, members):
            found = [
                Spot(at.memory, m.type, f"{at.read}.{m.name}", f"{owner}.{m.name}.value", part=True) for m in members
            ]
            return [inner for s in found for inner in inside_member(state, s)]
        case Vector(size, scalar):
            named = "xyzw"[state.between(0, size - 1)]
            index = axis_index(state, size, uniform=False)
            return [
                Spot(at.memory, scalar, f"{owner}.{named}.value", f"{owner}.{named}", part=True),
                Spot(at.memory, scalar, f"{owner}[{index}]", f"{owner}[{index}]", part=True),
            ]
        case Matrix(columns, _, _):
            index = axis_index(state, columns, uniform=False)
            return [Spot(at.memory, at.type.column, f"{at.read}[{index}]", f"{owner}[{index}]", part=True)]
        case _:
            return []


def inside_member(state: State, at: Spot) -> list[Spot]:
    """A member, or an element of an array member."""
    if not isinstance(at.type, Array):
        return [at]
    index = axis_index(state, at.type.count, uniform=False)
    target = at.write.removesuffix(".value")
    return [at, Spot(at.memory, at.type.element, f"{at.read}[{index}]", f"{target}[{index}]", part=True)]


def own_only(state: State, memory: Memory) -> bool:
    """Whether an invocation may touch only its own element here."""
    if memory.space in SHARED:
        return state.modes[memory.name] is Mode.OWN
    return False


def readable(state: State, wanted: Type, *, uniform: bool) -> list[Memory]:
    """Memory whose elements, or parts of them, have a type."""
    spaces = (Space.TABLE, Space.GIVEN) if uniform else READABLE
    return [m for m in state.memories(*spaces) if holds(m.type, wanted)]


def holds(type: Type, wanted: Type) -> bool:
    match type:
        case Atomic():
            return False
        case Struct(_, members):
            return type == wanted or any(holds(m.type, wanted) for m in members)
        case Array(element, _):
            return type == wanted or element == wanted
        case Vector(_, scalar):
            return wanted in (type, scalar)
        case Matrix():
            return wanted in (type, type.column)
        case Scalar():
            return type == wanted
        case _:
            return False


def read(state: State, wanted: Type, *, uniform: bool = False) -> Term | None:
    """A value read from memory here and now."""
    found = readable(state, wanted, uniform=uniform)
    if not found:
        return None
    memory = state.pick(found)
    at = spot(state, memory, own=own_only(state, memory) or (state.chance(0.4) and not uniform), uniform=uniform)
    options = [s for s in [at, *([] if uniform else parts(state, at))] if s.type == wanted]
    if not options:
        return None
    chosen = state.pick(options)
    flat = uniform and "." not in chosen.read
    return within(Term(chosen.read, wanted, uniform=flat), memory.bound)
