"""Terms at hand (constants, names, parameters, inputs, memory), and the drawing of operands for an operation on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from shaderdsl.errors import InternalError
from shaderdsl.ir.types import BOOL, F32, I32, U32, Array, Matrix, Scalar, Struct, Type, Vector
from shaderdsl.testing.programs_memory import read, readable
from shaderdsl.testing.programs_state import State
from shaderdsl.testing.programs_terms import Term, exact, fitted, is_float, spell


@dataclass(frozen=True, slots=True)
class Draft:
    """One expression being drawn: its type, how deep it may still grow, whether it must be uniform. `table` has the forms of each type."""

    state: State
    table: Callable[[Type], Sequence[Form]]
    type: Type
    depth: int
    uniform: bool

    def of(self, type: Type, bound: tuple[float, int] | None = None) -> Term:
        """An operand, within a bound."""
        made = draw(replace(self, type=type, depth=self.depth - 1))
        return made if bound is None else fitted(made, bound)

    def like(self, bound: tuple[float, int] | None = None) -> Term:
        """An operand of the result's own type."""
        return self.of(self.type, bound)

    def made(self, text: str, top: float | None = None, bits: int = 0) -> Term | None:
        """The result, unless a float would not be exact."""
        if is_float(self.type) and (top is None or not exact(top, bits)):
            return None
        return Term(text, self.type, top, bits, self.uniform)


Form: TypeAlias = Callable[[Draft], "Term | None"]


def draw(draft: Draft) -> Term:
    """Something at hand, or an operation on smaller terms."""
    if draft.depth > 0 and draft.state.chance(0.8):
        options = draft.table(draft.type)
        for _ in range(4):
            found = draft.state.pick(options)(draft)
            if found is not None:
                return found
    return atom(draft)


def atom(draft: Draft) -> Term:
    """A name in scope, a read, or a constant."""
    state, wanted, uniform = draft.state, draft.type, draft.uniform
    if has_array(wanted):
        return read_whole(state, wanted)
    if state.chance(0.45):
        named = [t for t in state.terms() if t.type == wanted and (t.uniform or not uniform)]
        if named:
            return state.pick(named)
    if state.chance(0.85):
        found = read(state, wanted, uniform=uniform)
        if found is not None and (found.uniform or not uniform):
            return found
    return constant(draft)


def read_whole(state: State, wanted: Type) -> Term:
    """An array, or a structure with one, which only memory holds."""
    for _ in range(100):
        found = read(state, wanted)
        if found is not None:
            return found
    raise InternalError(f"no memory holds {wanted}")


def makeable(state: State, wanted: Type) -> bool:
    """Whether a value of this type can be had here."""
    return not has_array(wanted) or bool(readable(state, wanted, uniform=False))


def constant(draft: Draft) -> Term:
    """A constant, or a vector, matrix or structure of parts."""
    state, wanted = draft.state, draft.type
    match wanted:
        case Scalar():
            return scalar_constant(state, wanted)
        case Vector(size, scalar):
            parts = [component_of(draft, scalar) for _ in range(size if state.chance(0.7) else 1)]
        case Matrix(columns, rows, scalar):
            parts = [component_of(draft, scalar) for _ in range(columns * rows)]
        case Struct(_, members):
            parts = [component_of(draft, m.type) for m in members]
        case _:
            raise InternalError(f"no constant of {wanted}")
    text = f"{spell(wanted)}({', '.join(p.text for p in parts)})"
    top = max((p.top for p in parts if p.top is not None), default=None)
    bits = max(p.bits for p in parts)
    return Term(text, wanted, top, bits, uniform=all(p.uniform for p in parts))


def component_of(draft: Draft, type: Type) -> Term:
    """A part of a value: at hand, or a constant where nothing may be read."""
    inner = replace(draft, type=type)
    return fitted(atom(inner) if draft.depth >= 0 else constant(inner), (4.0, 3))


def scalar_constant(state: State, type: Scalar) -> Term:
    if type == BOOL:
        return Term(f"sd.bool_({state.chance(0.5)})", BOOL, uniform=True)
    if type == F32:
        eighths = state.between(-32, 32)
        return Term(f"f32({eighths / 8})", F32, max(abs(eighths) / 8, 0.125), 3, uniform=True)
    number = state.between(0, 9) if type == U32 else state.between(-9, 9)
    if state.chance(0.1):
        number = state.between(0, 2**32 - 1) if type == U32 else state.between(-(2**31), 2**31 - 1)
    return Term(f"{type}({number})", type, abs(number), uniform=True)


def number(state: State, type: Type) -> str:
    """A plain Python number that adapts to the other operand."""
    if is_float(type):
        return str(state.pick([0.5, 2.0, -1.5, 3, 0.25, -1]))
    return str(state.between(1, 9))


def has_array(type: Type) -> bool:
    """Whether a value cannot be made of constants: an array, or a structure that holds one."""
    return isinstance(type, Array) or (
        isinstance(type, Struct) and any(isinstance(m.type, Array) for m in type.members)
    )


SCALAR_TYPES = (F32, I32, U32, BOOL)
