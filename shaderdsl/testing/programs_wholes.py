"""Operations that give matrices, structures and arrays, and the table of all operations by type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shaderdsl.errors import InternalError
from shaderdsl.ir.types import BOOL, F32, Array, Matrix, Struct, Type, scalar_of
from shaderdsl.testing.programs_floats import bits_of, float_forms, top_of
from shaderdsl.testing.programs_integers import bool_forms, integer_forms
from shaderdsl.testing.programs_state import State
from shaderdsl.testing.programs_terms import SMALL, Term, spell
from shaderdsl.testing.programs_values import Draft, Form, constant, draw, makeable


def value(state: State, type: Type, *, uniform: bool = False, depth: int = 2, fresh: bool = False) -> Term:
    """A new expression of a type; a `fresh` one reads nothing."""
    if fresh:
        return constant(Draft(state, forms, type, -1, uniform))
    return draw(Draft(state, forms, type, depth, uniform))


def forms(type: Type) -> Sequence[Form]:
    """The operations that give a type."""
    match type:
        case Matrix():
            return MATRIX
        case Struct():
            return STRUCT
        case Array():
            return ARRAY
        case _:
            scalar = scalar_of(type)
            if scalar == F32:
                return float_forms(type)
            return bool_forms(type) if scalar == BOOL else integer_forms(type)


def matrix_of(d: Draft) -> Matrix:
    if not isinstance(d.type, Matrix):
        raise InternalError(f"{d.type} is no matrix")
    return d.type


def columns(d: Draft) -> Term | None:
    m = matrix_of(d)
    parts = [d.of(m.column, (8.0, 4)) for _ in range(m.columns)]
    return d.made(f"{spell(m)}({', '.join(p.text for p in parts)})", top_of(*parts), bits_of(*parts))


def components(d: Draft) -> Term | None:
    m = matrix_of(d)
    parts = [d.of(F32, (8.0, 4)) for _ in range(m.columns * m.rows)]
    return d.made(f"{spell(m)}({', '.join(p.text for p in parts)})", top_of(*parts), bits_of(*parts))


def matrix_sum(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    return d.made(f"({a.text} {d.state.pick('+-')} {b.text})", (a.top or 0) + (b.top or 0), bits_of(a, b))


def matrix_scale(d: Draft) -> Term | None:
    a, s = d.like(), d.of(F32, SMALL)
    text = f"({a.text} * {s.text})" if d.state.chance(0.5) else f"({s.text} * {a.text})"
    return d.made(text, (a.top or 0) * (s.top or 0), a.bits + s.bits)


def matrix_product(d: Draft) -> Term | None:
    """The right side is built here, since lavapipe crashes on products of two transposed matrices."""
    m = matrix_of(d)
    inner = d.state.between(2, 3)
    a = d.of(Matrix(inner, m.rows, F32))
    b = columns(replace(d, type=Matrix(m.columns, inner, F32), depth=d.depth - 1))
    if b is None:
        return None
    return d.made(f"({a.text} * {b.text})", inner * (a.top or 0) * (b.top or 0), a.bits + b.bits)


def transposed(d: Draft) -> Term | None:
    m = matrix_of(d)
    a = d.of(Matrix(m.rows, m.columns, F32))
    return d.made(f"sd.transpose({a.text})", a.top, a.bits)


def structure(d: Draft) -> Term | None:
    """A new structure, its members by name or by position."""
    if not isinstance(d.type, Struct):
        return None
    if not all(makeable(d.state, m.type) for m in d.type.members):
        return None
    parts = [d.of(m.type, SMALL) for m in d.type.members]
    named = d.state.chance(0.5)
    inside = ", ".join(f"{m.name}={p.text}" if named else p.text for m, p in zip(d.type.members, parts))
    floats = [p for p in parts if p.top is not None and scalar_of(p.type) == F32]
    if any((p.top or 0) > SMALL[0] or p.bits > SMALL[1] for p in floats):
        return None
    return Term(f"{d.type.name}({inside})", d.type, SMALL[0], SMALL[1], d.uniform)


def nothing(d: Draft) -> Term | None:
    """Arrays are only read."""
    del d
    return None


MATRIX: Sequence[Form] = (columns, columns, components, matrix_sum, matrix_scale, matrix_product, transposed)
STRUCT: Sequence[Form] = (structure,)
ARRAY: Sequence[Form] = (nothing,)
