"""How far a device's result may be from the exact one: the bounds of the WGSL specification for f32 and f16, as data.

ACCURACY[Builtin.ATAN].f32 == Ulps(4096)
ACCURACY[BinaryOp.ADD].f16 == CorrectlyRounded()
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp, UnaryOp


@dataclass(frozen=True, slots=True)
class CorrectlyRounded:
    """The exact value, or one of its two neighbours where it is not representable."""


@dataclass(frozen=True, slots=True)
class Ulps:
    """At most `count + slope * |x|` units in the last place."""

    count: float
    slope: float = 0.0


@dataclass(frozen=True, slots=True)
class UlpsWithin:
    """`count` units in the last place while the magnitude of the divisor (or of atan2's x) lies in [low, high]; no bound elsewhere."""

    count: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Absolute:
    """At most `error` for x in [low, high]; outside it `outside`, or no bound."""

    error: float
    low: float
    high: float
    outside: Ulps | None = None


@dataclass(frozen=True, slots=True)
class Inherited:
    """As accurate as this expression, evaluated step by step."""

    expression: str


@dataclass(frozen=True, slots=True)
class WorseOf:
    """The larger of an absolute error and what the expression inherits."""

    error: float
    expression: str


@dataclass(frozen=True, slots=True)
class Unbounded:
    """The specification gives no bound."""


Bound: TypeAlias = CorrectlyRounded | Ulps | UlpsWithin | Absolute | Inherited | WorseOf | Unbounded
Operation: TypeAlias = Builtin | BinaryOp | UnaryOp


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The bounds for f32 and for f16; None where the operation has no such type."""

    f32: Bound
    f16: Bound | None


def same(bound: Bound) -> Accuracy:
    """One bound for both types."""
    return Accuracy(bound, bound)


def inherited(expression: str) -> Accuracy:
    return same(Inherited(expression))


ROUNDED = same(CorrectlyRounded())
NEAR_PI = Accuracy(Absolute(2.0**-11, -math.pi, math.pi), Absolute(2.0**-7, -math.pi, math.pi))
EXPONENTIAL = Accuracy(Ulps(3, 2), Ulps(1, 2))
LOGARITHM = Accuracy(Absolute(2.0**-21, 0.5, 2.0, Ulps(3)), Absolute(2.0**-7, 0.5, 2.0, Ulps(3)))
UNPACKED = Accuracy(Ulps(3), None)
ACOS_FORM = "atan2(sqrt(1.0 - x * x), x)"
ASIN_FORM = "atan2(x, sqrt(1.0 - x * x))"

ACCURACY: dict[Operation, Accuracy] = {
    BinaryOp.ADD: ROUNDED,
    BinaryOp.SUB: ROUNDED,
    BinaryOp.MUL: ROUNDED,
    BinaryOp.DIV: Accuracy(UlpsWithin(2.5, 2.0**-126, 2.0**126), UlpsWithin(2.5, 2.0**-14, 2.0**14)),
    BinaryOp.REM: inherited("x - y * trunc(x/y)"),
    UnaryOp.NEGATE: ROUNDED,
    Builtin.ABS: ROUNDED,
    Builtin.ACOS: Accuracy(WorseOf(6.77e-5, ACOS_FORM), WorseOf(3.91e-3, ACOS_FORM)),
    Builtin.ACOSH: inherited("log(x + sqrt(x * x - 1.0))"),
    Builtin.ASIN: Accuracy(WorseOf(6.81e-5, ASIN_FORM), WorseOf(3.91e-3, ASIN_FORM)),
    Builtin.ASINH: inherited("log(x + sqrt(x * x + 1.0))"),
    Builtin.ATAN: Accuracy(Ulps(4096), Ulps(5)),
    Builtin.ATAN2: Accuracy(UlpsWithin(4096, 2.0**-126, 2.0**126), UlpsWithin(5, 2.0**-14, 2.0**14)),
    Builtin.ATANH: inherited("log( (1.0 + x) / (1.0 - x) ) * 0.5"),
    Builtin.CEIL: ROUNDED,
    Builtin.CLAMP: ROUNDED,
    Builtin.COS: NEAR_PI,
    Builtin.COSH: inherited("(exp(x) + exp(-x)) * 0.5"),
    Builtin.CROSS: inherited("(x[i] * y[j] - x[j] * y[i])"),
    Builtin.DEGREES: inherited("x * 57.295779513082322865"),
    Builtin.DETERMINANT: same(Unbounded()),
    Builtin.DISTANCE: inherited("length(x - y)"),
    Builtin.DOT: inherited("x[i] * y[i]"),
    Builtin.EXP: EXPONENTIAL,
    Builtin.EXP2: EXPONENTIAL,
    Builtin.FACE_FORWARD: inherited("select(-x, x, dot(z, y) < 0.0)"),
    Builtin.FLOOR: ROUNDED,
    Builtin.FMA: inherited("x * y + z"),
    Builtin.FRACT: inherited("x - floor(x)"),
    Builtin.FREXP: ROUNDED,
    Builtin.INVERSE_SQRT: same(Ulps(2)),
    Builtin.LDEXP: ROUNDED,
    Builtin.LENGTH: inherited("sqrt(dot(x, x))"),
    Builtin.LOG: LOGARITHM,
    Builtin.LOG2: LOGARITHM,
    Builtin.MAX: ROUNDED,
    Builtin.MIN: ROUNDED,
    Builtin.MIX: inherited("x * (1.0 - z) + y * z"),
    Builtin.MODF: ROUNDED,
    Builtin.NORMALIZE: inherited("x / length(x)"),
    Builtin.PACK2X16_FLOAT: Accuracy(CorrectlyRounded(), None),
    Builtin.PACK2X16_SNORM: Accuracy(CorrectlyRounded(), None),
    Builtin.PACK2X16_UNORM: Accuracy(CorrectlyRounded(), None),
    Builtin.PACK4X8_SNORM: Accuracy(CorrectlyRounded(), None),
    Builtin.PACK4X8_UNORM: Accuracy(CorrectlyRounded(), None),
    Builtin.POW: inherited("exp2(y * log2(x))"),
    Builtin.QUANTIZE_TO_F16: Accuracy(CorrectlyRounded(), None),
    Builtin.RADIANS: inherited("x * 0.017453292519943295474"),
    Builtin.REFLECT: inherited("x - 2.0 * dot(x, y) * y"),
    Builtin.REFRACT: inherited("z * x - (z * dot(y, x) + sqrt(k)) * y"),
    Builtin.ROUND: ROUNDED,
    Builtin.SATURATE: ROUNDED,
    Builtin.SIGN: ROUNDED,
    Builtin.SIN: NEAR_PI,
    Builtin.SINH: inherited("(exp(x) - exp(-x)) * 0.5"),
    Builtin.SMOOTHSTEP: inherited("t * t * (3.0 - 2.0 * t)"),
    Builtin.SQRT: inherited("1.0 / inverseSqrt(x)"),
    Builtin.STEP: ROUNDED,
    Builtin.TAN: inherited("sin(x) / cos(x)"),
    Builtin.TANH: same(WorseOf(1.0e-5, "sinh(x) / cosh(x)")),
    Builtin.TRANSPOSE: ROUNDED,
    Builtin.TRUNC: ROUNDED,
    Builtin.UNPACK2X16_FLOAT: Accuracy(CorrectlyRounded(), None),
    Builtin.UNPACK2X16_SNORM: UNPACKED,
    Builtin.UNPACK2X16_UNORM: UNPACKED,
    Builtin.UNPACK4X8_SNORM: UNPACKED,
    Builtin.UNPACK4X8_UNORM: UNPACKED,
}

EXACT: frozenset[Builtin] = frozenset(
    {
        Builtin.ALL,
        Builtin.ANY,
        Builtin.COUNT_LEADING_ZEROS,
        Builtin.COUNT_ONE_BITS,
        Builtin.COUNT_TRAILING_ZEROS,
        Builtin.DOT4_I8_PACKED,
        Builtin.DOT4_U8_PACKED,
        Builtin.EXTRACT_BITS,
        Builtin.FIRST_LEADING_BIT,
        Builtin.FIRST_TRAILING_BIT,
        Builtin.INSERT_BITS,
        Builtin.PACK4X_I8,
        Builtin.PACK4X_I8_CLAMP,
        Builtin.PACK4X_U8,
        Builtin.PACK4X_U8_CLAMP,
        Builtin.REVERSE_BITS,
        Builtin.SELECT,
        Builtin.UNPACK4X_I8,
        Builtin.UNPACK4X_U8,
    }
)
"""Builtins of integers and bools, and `select`: their results are exact, and the specification lists no bound."""
