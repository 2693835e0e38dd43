"""The last store of a program: one number made of much that is in scope, so that a fault anywhere reaches an output."""

from __future__ import annotations

from shaderdsl.ir.types import BOOL, F32, I32, Atomic, Matrix, Scalar, Type, Vector, scalar_of
from shaderdsl.testing.programs_memory import spot
from shaderdsl.testing.programs_state import Space, State
from shaderdsl.testing.programs_terms import Term, within

DIGEST = "digest"
MOST = 9
"""Values in one number: more would nest too deeply for a reader."""


def store(state: State, own: str) -> None:
    """`digest[i] = ...`"""
    found = [*remembered(state), *[t for t in state.frames[-1].terms if state.chance(0.4)]]
    parts = [word(t) for t in found if isinstance(t.type, Scalar | Vector | Matrix)]
    state.random.shuffle(parts)
    text = "u32(7)"
    for part in parts[:MOST]:
        text = f"({text} * 31 + {part})"
    state.add(f"{DIGEST}[{own}] = {text}")


def remembered(state: State) -> list[Term]:
    """What memory holds that no output shows."""
    found: list[Term] = []
    for memory in state.memories(Space.VAR, Space.ARRAY, Space.PRIVATE, Space.SHARED):
        if not isinstance(memory.type, Atomic):
            at = spot(state, memory, own=True)
            found.append(within(Term(at.read, at.type), memory.bound))
    return found


def word(term: Term) -> str:
    """A value as u32; floats in units of their last bit, so that both zeros are the same."""
    match term.type:
        case Matrix():
            return word(Term(f"{term.text}[1]", term.type.column, term.top, term.bits))
        case Vector(size, _):
            weights = ", ".join(map(str, (1, 3, 7, 11)[:size]))
            return f"sd.dot({unsigned(term)}, sd.vec{size}u({weights}))"
        case _:
            return unsigned(term)


def unsigned(term: Term) -> str:
    scalar = scalar_of(term.type)
    if scalar == F32:
        return f"({term.text} * {2.0**term.bits}).i32.u32"
    if scalar == BOOL:
        return f"{named(term.type)}({term.text})"
    return f"{term.text}.u32" if scalar == I32 else term.text


def named(type: Type) -> str:
    return f"sd.vec{type.size}u" if isinstance(type, Vector) else "u32"
