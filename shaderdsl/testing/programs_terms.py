"""Terms of a generated program: Python text with its type and a bound, so that every float in it is exact in any order of additions.

A float with the bound (top, bits) is a multiple of 2**-bits of magnitude at most `top`; it is exact while top * 2**bits stays below 2**24.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from shaderdsl.ir.types import BOOL, F32, I32, U32, Array, Matrix, Scalar, Struct, Type, Vector, scalar_of

EXACT = 2.0**24
SMALL = (4.0, 3)
"""The bound of given floats: k / 8 with |k| <= 32."""
STORED = (32.0, 4)
"""The bound of floats in memory that the program reads again."""

SUFFIX = {F32: "f", I32: "i", U32: "u", BOOL: "b"}
SCALARS = (F32, I32, U32, BOOL)
NUMBERS = (F32, I32, U32)


@dataclass(frozen=True, slots=True)
class Term:
    """`text` evaluates to a value of `type`. top: the greatest magnitude, None where an integer may be anything.

    uniform: the same for all invocations of a workgroup, by the rules of WGSL's uniformity analysis.
    """

    text: str
    type: Type
    top: float | None = None
    bits: int = 0
    uniform: bool = False


def spell(type: Type) -> str:
    """How a program names a type: `f32`, `sd.vec3f`, `sd.mat2x3f`, `P`."""
    match type:
        case Scalar():
            return "sd.bool_" if type == BOOL else str(type)
        case Vector(size, scalar):
            return f"sd.vec{size}{SUFFIX[scalar]}"
        case Matrix(columns, rows, scalar):
            return f"sd.mat{columns}x{rows}{SUFFIX[scalar]}"
        case Array(element, count):
            return f"Annotated[sd.Array[{spell(element)}], {count}]"
        case Struct(name):
            return name
        case _:
            return str(type)


def is_float(type: Type) -> bool:
    return scalar_of(type) == F32


def within(term: Term, bound: tuple[float, int]) -> Term:
    """A float that is known to lie within a bound; integers may be anything."""
    return replace(term, top=bound[0], bits=bound[1]) if is_float(term.type) else term


def exact(top: float, bits: int) -> bool:
    """Whether every multiple of 2**-bits up to `top` is an f32."""
    return top * 2.0**bits < EXACT and bits <= 16


def fitted(term: Term, bound: tuple[float, int]) -> Term:
    """The term within a bound: rounded to whole numbers and clamped where it may lie outside. Matrices must fit as they are."""
    top, bits = bound
    if not is_float(term.type) or term.top is None or isinstance(term.type, Matrix):
        return term
    if term.bits > bits:
        term = replace(term, text=f"sd.floor({term.text})", top=term.top + 1, bits=0)
    if term.top is not None and term.top > top:
        term = replace(term, text=f"sd.clamp({term.text}, {-top}, {top})", top=top)
    return term


def fits(term: Term, bound: tuple[float, int]) -> bool:
    """Whether a term may be stored where `bound` is promised."""
    return not is_float(term.type) or (term.top is not None and term.top <= bound[0] and term.bits <= bound[1])
