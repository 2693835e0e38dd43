"""Operations that give f32 and vectors of it, exact for the bounds of their operands."""

from __future__ import annotations

from collections.abc import Sequence

from shaderdsl.ir.types import BOOL, F32, I32, U32, Matrix, Scalar, Type, Vector, with_scalar
from shaderdsl.testing.programs_terms import Term, spell
from shaderdsl.testing.programs_values import Draft, Form, number

WIDE = (64.0, 6)
FACTOR = (32.0, 4)
THIRD = (8.0, 4)


def top_of(*terms: Term) -> float:
    return max(t.top or 0.0 for t in terms)


def bits_of(*terms: Term) -> int:
    return max(t.bits for t in terms)


def add(d: Draft) -> Term | None:
    a, b = d.like(WIDE), d.like(WIDE)
    op = d.state.pick("+-")
    return d.made(f"({a.text} {op} {b.text})", (a.top or 0) + (b.top or 0), bits_of(a, b))


def add_number(d: Draft) -> Term | None:
    a, n = d.like(WIDE), number(d.state, d.type)
    text = f"({a.text} - {n})" if d.state.chance(0.5) else f"({n} - {a.text})"
    return d.made(text, (a.top or 0) + 3, max(a.bits, 2))


def multiply(d: Draft) -> Term | None:
    a, b = d.like(FACTOR), d.like(FACTOR)
    return d.made(f"({a.text} * {b.text})", (a.top or 0) * (b.top or 0), a.bits + b.bits)


def scale(d: Draft) -> Term | None:
    """A vector by a scalar, on either side; a scalar by a Python number."""
    if isinstance(d.type, Vector):
        a, s = d.like(FACTOR), d.of(F32, FACTOR)
        text = f"({a.text} * {s.text})" if d.state.chance(0.5) else f"({s.text} * {a.text})"
        return d.made(text, (a.top or 0) * (s.top or 0), a.bits + s.bits)
    a = d.like(FACTOR)
    return d.made(f"({a.text} * {number(d.state, F32)})", (a.top or 0) * 3, a.bits + 2)


def negate(d: Draft) -> Term | None:
    a = d.like()
    return d.made(f"(-{a.text})", a.top, a.bits)


def monotone(d: Draft) -> Term | None:
    """abs, rounding and the fractional part."""
    a = d.like(WIDE)
    name = d.state.pick(["abs", "floor", "ceil", "trunc", "round", "fract", "sign", "saturate"])
    keeps = name in ("abs", "fract", "saturate")
    return d.made(f"sd.{name}({a.text})", (a.top or 0) + 1, a.bits if keeps else 0)


def extreme(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    name = d.state.pick(["min", "max"])
    return d.made(f"sd.{name}({a.text}, {b.text})", top_of(a, b), bits_of(a, b))


def bounded(d: Draft) -> Term | None:
    a = d.like()
    return d.made(f"sd.clamp({a.text}, -1.5, 2.5)", max(2.5, min(a.top or 0, 2.5)), max(a.bits, 1))


def choose(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    wide = isinstance(d.type, Vector) and d.state.chance(0.5)
    c = d.of(with_scalar(d.type, BOOL) if wide else BOOL)
    text = (
        f"sd.select({a.text}, {b.text}, {c.text})" if d.state.chance(0.5) else f"sd.where({c.text}, {a.text}, {b.text})"
    )
    return d.made(text, top_of(a, b), bits_of(a, b))


def fused(d: Draft) -> Term | None:
    a, b, c = d.like(THIRD), d.like(THIRD), d.like(WIDE)
    return d.made(
        f"sd.fma({a.text}, {b.text}, {c.text})",
        (a.top or 0) * (b.top or 0) + (c.top or 0),
        max(a.bits + b.bits, c.bits),
    )


def blend(d: Draft) -> Term | None:
    a, b = d.like(THIRD), d.like(THIRD)
    part = d.state.pick(["0.5", "0.25", "0", "1"])
    return d.made(f"sd.mix({a.text}, {b.text}, {part})", 3 * top_of(a, b), bits_of(a, b) + 2)


def edge(d: Draft) -> Term | None:
    a, b = d.like(), d.like()
    return d.made(f"sd.step({a.text}, {b.text})", 1.0, 0)


def halves(d: Draft) -> Term | None:
    """modf, ldexp and a detour through f16."""
    a = d.like((8.0, 4))
    return d.state.pick(
        [
            d.made(f"sd.modf({a.text}).fract", 1.0, a.bits),
            d.made(f"sd.modf({a.text}).whole", a.top, 0),
            d.made(f"sd.ldexp({a.text}, {d.state.pick([-1, 1, 2])})", (a.top or 0) * 4, a.bits + 1),
            d.made(f"sd.quantize_to_f16({a.text})", a.top, a.bits),
        ]
    )


def from_integer(d: Draft) -> Term | None:
    """A conversion of an integer that is brought into range first."""
    kind = d.state.pick([I32, U32])
    a = d.of(with_scalar(d.type, kind))
    if isinstance(d.type, Scalar) and d.state.chance(0.2):
        return d.made(f"f32({d.of(BOOL).text})", 1.0, 0)
    return d.made(f"({a.text} & 63).f32", 63.0, 0)


def round_trip(d: Draft) -> Term | None:
    """Bits there and back again."""
    a = d.like()
    kind = with_scalar(d.type, d.state.pick([U32, I32]))
    return d.made(f"sd.bitcast(sd.bitcast({a.text}, {spell(kind)}), {spell(d.type)})", a.top, a.bits)


def component(d: Draft) -> Term | None:
    size = d.state.between(2, 4)
    v = d.of(Vector(size, F32))
    if d.state.chance(0.3):
        return d.made(f"{v.text}[{index(d, size)}]", v.top, v.bits)
    return d.made(f"{v.text}.{d.state.pick('xyzw'[:size])}", v.top, v.bits)


def index(d: Draft, size: int) -> str:
    """A constant index, or one known at run time."""
    if d.state.chance(0.5):
        return str(d.state.between(0, size - 1))
    return f"({d.of(U32).text} % {size})"


def dot(d: Draft) -> Term | None:
    size = d.state.between(2, 4)
    a, b = d.of(Vector(size, F32), THIRD), d.of(Vector(size, F32), THIRD)
    return d.made(f"sd.dot({a.text}, {b.text})", size * (a.top or 0) * (b.top or 0), a.bits + b.bits)


def determinant(d: Draft) -> Term | None:
    m = d.of(Matrix(2, 2, F32))
    return d.made(f"sd.determinant({m.text})", 2 * (m.top or 0) ** 2, 2 * m.bits)


def packed(d: Draft) -> Term | None:
    """Through a half in a word; the second one is lost where lavapipe folds the packing of constants."""
    v = d.of(Vector(2, F32), (8.0, 4))
    return d.made(f"sd.unpack2x16_float(sd.pack2x16_float({v.text})).x", v.top, v.bits)


def assemble(d: Draft) -> Term | None:
    """A vector from scalars and smaller vectors."""
    if not isinstance(d.type, Vector):
        return None
    sizes: list[int] = []
    while sum(sizes) < d.type.size:
        sizes.append(d.state.between(1, min(d.type.size - sum(sizes), 3)))
    if len(sizes) == 1:
        sizes = [1] * d.type.size
    parts = [d.of(F32 if s == 1 else Vector(s, F32)) for s in sizes]
    return d.made(f"sd.vec{d.type.size}f({', '.join(p.text for p in parts)})", top_of(*parts), bits_of(*parts))


def swizzle(d: Draft) -> Term | None:
    if not isinstance(d.type, Vector):
        return None
    size = d.state.between(2, 4)
    letters = "".join(d.state.pick(("xyzw" if d.state.chance(0.9) else "rgba")[:size]) for _ in range(d.type.size))
    if any(c in letters for c in "rgba") and any(c in letters for c in "xyzw"):
        letters = "x" * d.type.size
    v = d.of(Vector(size, F32))
    return d.made(f"{v.text}.{letters}", v.top, v.bits)


def transform(d: Draft) -> Term | None:
    """A matrix by a vector, on either side."""
    if not isinstance(d.type, Vector):
        return None
    other = d.state.between(2, 3)
    left = d.state.chance(0.5)
    m = d.of(Matrix(other, d.type.size, F32) if left else Matrix(d.type.size, other, F32))
    v = d.of(Vector(other, F32), THIRD)
    text = f"({m.text} * {v.text})" if left else f"({v.text} * {m.text})"
    return d.made(text, other * (m.top or 0) * (v.top or 0), m.bits + v.bits)


def column(d: Draft) -> Term | None:
    if not isinstance(d.type, Vector):
        return None
    columns = d.state.between(2, 3)
    m = d.of(Matrix(columns, d.type.size, F32))
    return d.made(f"{m.text}[{index(d, columns)}]", m.top, m.bits)


def geometry(d: Draft) -> Term | None:
    a, b = d.like(THIRD), d.like(THIRD)
    if d.type == Vector(3, F32) and d.state.chance(0.6):
        return d.made(f"sd.cross({a.text}, {b.text})", 2 * (a.top or 0) * (b.top or 0), a.bits + b.bits)
    return d.made(f"sd.face_forward({a.text}, {b.text}, {d.like(THIRD).text})", a.top, a.bits)


FIRST: Sequence[Form] = (
    add,
    add,
    add,
    add_number,
    multiply,
    multiply,
    scale,
    negate,
    monotone,
    extreme,
    bounded,
    choose,
    fused,
)
COMMON: Sequence[Form] = (*FIRST, blend, edge, halves, from_integer, round_trip)
SCALAR: Sequence[Form] = (*COMMON, component, component, dot, determinant, packed)
VECTOR: Sequence[Form] = (*COMMON, assemble, assemble, swizzle, swizzle, transform, column, geometry)


def float_forms(type: Type) -> Sequence[Form]:
    """The operations that give f32 or a vector of it."""
    return SCALAR if type == F32 else VECTOR
