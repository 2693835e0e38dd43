"""Operations that give i32, u32, bool and vectors of them. Integers wrap, so they need no bounds."""

from __future__ import annotations

from collections.abc import Sequence

from shaderdsl.ir.types import BOOL, F32, I32, U32, Scalar, Type, Vector, scalar_of, with_scalar
from shaderdsl.testing.programs_floats import index
from shaderdsl.testing.programs_memory import read
from shaderdsl.testing.programs_terms import SUFFIX, Term, spell
from shaderdsl.testing.programs_values import Draft, Form, number


def arithmetic(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    return d.made(f"({a.text} {d.state.pick(['+', '-', '*', '+', '-', '*', '&', '|', '^'])} {b.text})")


def with_number(d: Draft) -> Term | None:
    a, n = d.like(), number(d.state, d.type)
    op = d.state.pick(["+", "-", "*", "&", "|", "^"])
    if isinstance(d.type, Scalar) and d.state.chance(0.4):
        return d.made(f"({n} {op} {a.text})")
    return d.made(f"({a.text} {op} {n})", float(n) if op == "&" else None)


def mixed(d: Draft) -> Term | None:
    """A vector with a scalar."""
    if isinstance(d.type, Scalar):
        return None
    a, s = d.like(), d.of(scalar_of(d.type) or I32)
    op = d.state.pick("+-*")
    return d.made(f"({a.text} {op} {s.text})" if d.state.chance(0.5) else f"({s.text} {op} {a.text})")


def shift(d: Draft) -> Term | None:
    """By a constant in range, or by what memory holds: beyond the width only the low five bits count."""
    a = d.like()
    op = d.state.pick(["<<", ">>"])
    if d.state.chance(0.5):
        return d.made(f"({a.text} {op} {d.state.between(0, 31)})")
    amount = read(d.state, with_scalar(d.type, U32), uniform=d.uniform)
    return None if amount is None or (d.uniform and not amount.uniform) else d.made(f"({a.text} {op} {amount.text})")


def masked_shift(d: Draft) -> Term | None:
    a, amount = d.like(), d.of(with_scalar(d.type, U32))
    return d.made(f"({a.text} {d.state.pick(['<<', '>>'])} ({amount.text} & 31))")


def divide(d: Draft) -> Term | None:
    """By something that is never zero."""
    a, b = d.like(), d.like()
    divisor = f"({b.text} | 1)"
    if d.state.chance(0.4):
        divisor = str(d.state.pick([2, 3, 7]))
    if scalar_of(d.type) == U32:
        return d.made(f"({a.text} {d.state.pick(['//', '%'])} {divisor})")
    return d.made(f"sd.{d.state.pick(['div_floor', 'div_trunc', 'mod_floor', 'mod_trunc'])}({a.text}, {divisor})")


def unary(d: Draft) -> Term | None:
    a = d.like()
    if scalar_of(d.type) == I32 and d.state.chance(0.5):
        return d.made(f"(-{a.text})" if d.state.chance(0.7) else f"sd.sign({a.text})")
    return d.made(f"(~{a.text})" if d.state.chance(0.7) else f"sd.abs({a.text})")


def bit_counting(d: Draft) -> Term | None:
    names = [
        "count_leading_zeros",
        "count_one_bits",
        "count_trailing_zeros",
        "first_leading_bit",
        "first_trailing_bit",
        "reverse_bits",
    ]
    return d.made(f"sd.{d.state.pick(names)}({d.like().text})")


def bit_fields(d: Draft) -> Term | None:
    a = d.like()
    offset = d.state.between(0, 31)
    count = d.state.between(0, 32 - offset)
    if d.state.chance(0.5):
        return d.made(f"sd.extract_bits({a.text}, {offset}, {count})")
    return d.made(f"sd.insert_bits({a.text}, {d.like().text}, {offset}, {count})")


def extreme(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    if d.state.chance(0.3):
        return d.made(f"sd.clamp({a.text}, 1, 7)")
    return d.made(f"sd.{d.state.pick(['min', 'max'])}({a.text}, {b.text})")


def choose(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    wide = isinstance(d.type, Vector) and d.state.chance(0.5)
    c = d.of(with_scalar(d.type, BOOL) if wide else BOOL)
    return d.made(f"sd.select({a.text}, {b.text}, {c.text})")


def convert(d: Draft) -> Term | None:
    """From a float, the other integer or a bool."""
    scalar = scalar_of(d.type) or I32
    source = d.state.pick([F32, U32 if scalar == I32 else I32, BOOL])
    a = d.of(with_scalar(d.type, source))
    if source == BOOL or d.state.chance(0.3):
        return d.made(f"{spell(d.type)}({a.text})")
    return d.made(f"{a.text}.{scalar}")


def reinterpret(d: Draft) -> Term | None:
    """The bits of the other integer, or of a float that is not zero (the sign of zero is free)."""
    scalar = scalar_of(d.type) or I32
    if d.state.chance(0.5):
        a = d.of(with_scalar(d.type, F32))
        return (
            d.made(f"sd.bitcast(sd.abs({a.text}) + 0.5, {spell(d.type)})")
            if (a.top or 0) < 1024 and a.bits < 8
            else None
        )
    a = d.of(with_scalar(d.type, U32 if scalar == I32 else I32))
    return d.made(f"sd.bitcast({a.text}, {spell(d.type)})")


def component(d: Draft) -> Term | None:
    size = d.state.between(2, 4)
    v = d.of(Vector(size, scalar_of(d.type) or I32))
    if d.state.chance(0.3):
        return d.made(f"{v.text}[{index(d, size)}]")
    return d.made(f"{v.text}.{d.state.pick('xyzw'[:size])}")


def dot(d: Draft) -> Term | None:
    v = Vector(d.state.between(2, 4), scalar_of(d.type) or I32)
    return d.made(f"sd.dot({d.of(v).text}, {d.of(v).text})")


def packing(d: Draft) -> Term | None:
    """Bytes in words."""
    a = d.of(U32)
    if d.type == I32:
        return d.made(f"sd.dot4_i8_packed({a.text}, {d.of(U32).text})")
    return d.state.pick(
        [
            d.made(f"sd.dot4_u8_packed({a.text}, {d.of(U32).text})"),
            d.made(f"sd.pack4x_u8({d.of(Vector(4, U32)).text})"),
            d.made(f"sd.pack4x_i8({d.of(Vector(4, I32)).text})"),
            d.made(f"sd.pack4x_u8_clamp({d.of(Vector(4, U32)).text})"),
            d.made(f"sd.pack4x_i8_clamp({d.of(Vector(4, I32)).text})"),
        ]
    )


def exponent(d: Draft) -> Term | None:
    a = d.of(F32) if d.type == I32 else None
    return None if a is None else d.made(f"sd.frexp(sd.abs({a.text}) + 1).exp")


def assemble(d: Draft) -> Term | None:
    """A vector from scalars."""
    if not isinstance(d.type, Vector):
        return None
    parts = [d.of(d.type.scalar) for _ in range(d.type.size)]
    return d.made(f"{spell(d.type)}({', '.join(p.text for p in parts)})")


def swizzle(d: Draft) -> Term | None:
    if not isinstance(d.type, Vector):
        return None
    size = d.state.between(2, 4)
    letters = "".join(d.state.pick("xyzw"[:size]) for _ in range(d.type.size))
    return d.made(f"{d.of(Vector(size, d.type.scalar)).text}.{letters}")


def unpack(d: Draft) -> Term | None:
    if d.type != Vector(4, I32) and d.type != Vector(4, U32):
        return None
    return d.made(f"sd.unpack4x_{SUFFIX[scalar_of(d.type) or I32]}8({d.of(U32).text})")


def compare(d: Draft) -> Term | None:
    kind = with_scalar(d.type, d.state.pick([F32, I32, U32]))
    a, b = d.of(kind), d.of(kind)
    return d.made(f"({a.text} {d.state.pick(['==', '!=', '<', '<=', '>', '>='])} {b.text})")


def connect(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    return d.made(f"({a.text} {d.state.pick('&|')} {b.text})")


def negation(d: Draft) -> Term | None:
    return d.made(f"(~{d.like().text})")


def equal(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    return d.made(f"({a.text} {d.state.pick(['==', '!='])} {b.text})")


def quantified(d: Draft) -> Term | None:
    v = Vector(d.state.between(2, 4), BOOL)
    return d.made(f"sd.{d.state.pick(['any', 'all'])}({d.of(v).text})")


FIRST: Sequence[Form] = (arithmetic, arithmetic, arithmetic, with_number, masked_shift, shift, divide, divide, unary)
COMMON: Sequence[Form] = (*FIRST, bit_counting, bit_fields, extreme, choose, convert, convert, reinterpret)
SCALAR: Sequence[Form] = (*COMMON, component, component, dot, packing, exponent)
VECTOR: Sequence[Form] = (*COMMON, mixed, assemble, assemble, swizzle, swizzle, unpack)
BOOL_SCALAR: Sequence[Form] = (compare, compare, compare, connect, connect, negation, equal, quantified, component)
BOOL_VECTOR: Sequence[Form] = (compare, compare, connect, negation, equal, assemble, swizzle)


def integer_forms(type: Type) -> Sequence[Form]:
    """The operations that give integers."""
    return SCALAR if isinstance(type, Scalar) else VECTOR


def bool_forms(type: Type) -> Sequence[Form]:
    """The operations that give bools."""
    return BOOL_SCALAR if isinstance(type, Scalar) else BOOL_VECTOR
