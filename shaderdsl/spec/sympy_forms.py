"""The sympy form of every builtin that has one on real scalars: what formulas are differentiated and proved with.

SYMPY_FORMS[Builtin.SATURATE](x) == Min(Max(x, 0), 1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from shaderdsl.ir.builtins import Builtin

# sympy's own annotations are partial: expressions are Any here, and the tests hold every form to numpy.


def form(name: str) -> Any:
    """sympy's own function or number of that name."""
    return getattr(sp, name)


EXP, LOG, SQRT = form("exp"), form("log"), form("sqrt")
LEAST, GREATEST, PIECEWISE = form("Min"), form("Max"), form("Piecewise")
FLOOR, ABS = form("floor"), form("Abs")
PI = form("pi")


def clamp(x: Any, low: Any, high: Any) -> Any:
    return LEAST(GREATEST(x, low), high)


def saturate(x: Any) -> Any:
    return clamp(x, 0, 1)


def step(edge: Any, x: Any) -> Any:
    return PIECEWISE((1, edge <= x), (0, True))


def smoothstep(low: Any, high: Any, x: Any) -> Any:
    t = clamp((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def mix(x: Any, y: Any, blend: Any) -> Any:
    return x * (1 - blend) + y * blend


def select(otherwise: Any, chosen: Any, condition: Any) -> Any:
    return PIECEWISE((chosen, condition), (otherwise, True))


def truncate(x: Any) -> Any:
    return PIECEWISE((form("ceiling")(x), x < 0), (FLOOR(x), True))


def round_half_even(x: Any) -> Any:
    """The nearest whole number; the even one of two that are equally near."""
    down = FLOOR(x)
    half = sp.Rational(1, 2)
    return PIECEWISE((down, x - down < half), (down + 1, x - down > half), (2 * FLOOR((down + 1) / 2), True))


def fused(x: Any, y: Any, z: Any) -> Any:
    return x * y + z


def power(x: Any, y: Any) -> Any:
    return x**y


def scaled(x: Any, exponent: Any) -> Any:
    return x * 2**exponent


def inverse_root(x: Any) -> Any:
    return 1 / SQRT(x)


def exp2(x: Any) -> Any:
    return 2**x


def log2(x: Any) -> Any:
    return LOG(x) / LOG(2)


def fraction(x: Any) -> Any:
    return x - FLOOR(x)


def degrees(x: Any) -> Any:
    return x * 180 / PI


def radians(x: Any) -> Any:
    return x * PI / 180


def distance(x: Any, y: Any) -> Any:
    return ABS(x - y)


SYMPY_FORMS: dict[Builtin, Callable[..., Any]] = {
    Builtin.ABS: ABS,
    Builtin.ACOS: form("acos"),
    Builtin.ACOSH: form("acosh"),
    Builtin.ASIN: form("asin"),
    Builtin.ASINH: form("asinh"),
    Builtin.ATAN: form("atan"),
    Builtin.ATAN2: form("atan2"),
    Builtin.ATANH: form("atanh"),
    Builtin.CEIL: form("ceiling"),
    Builtin.CLAMP: clamp,
    Builtin.COS: form("cos"),
    Builtin.COSH: form("cosh"),
    Builtin.DEGREES: degrees,
    Builtin.DISTANCE: distance,
    Builtin.EXP: EXP,
    Builtin.EXP2: exp2,
    Builtin.FLOOR: FLOOR,
    Builtin.FMA: fused,
    Builtin.FRACT: fraction,
    Builtin.INVERSE_SQRT: inverse_root,
    Builtin.LDEXP: scaled,
    Builtin.LENGTH: ABS,
    Builtin.LOG: LOG,
    Builtin.LOG2: log2,
    Builtin.MAX: GREATEST,
    Builtin.MIN: LEAST,
    Builtin.MIX: mix,
    Builtin.POW: power,
    Builtin.RADIANS: radians,
    Builtin.ROUND: round_half_even,
    Builtin.SATURATE: saturate,
    Builtin.SELECT: select,
    Builtin.SIGN: form("sign"),
    Builtin.SIN: form("sin"),
    Builtin.SINH: form("sinh"),
    Builtin.SMOOTHSTEP: smoothstep,
    Builtin.SQRT: SQRT,
    Builtin.STEP: step,
    Builtin.TAN: form("tan"),
    Builtin.TANH: form("tanh"),
    Builtin.TRUNC: truncate,
}

NO_SYMPY_FORM: frozenset[Builtin] = frozenset(
    {
        # bits, packing and rounding to a narrower type: not functions of a real number
        Builtin.COUNT_LEADING_ZEROS,
        Builtin.COUNT_ONE_BITS,
        Builtin.COUNT_TRAILING_ZEROS,
        Builtin.DOT4_I8_PACKED,
        Builtin.DOT4_U8_PACKED,
        Builtin.EXTRACT_BITS,
        Builtin.FIRST_LEADING_BIT,
        Builtin.FIRST_TRAILING_BIT,
        Builtin.INSERT_BITS,
        Builtin.PACK2X16_FLOAT,
        Builtin.PACK2X16_SNORM,
        Builtin.PACK2X16_UNORM,
        Builtin.PACK4X8_SNORM,
        Builtin.PACK4X8_UNORM,
        Builtin.PACK4X_I8,
        Builtin.PACK4X_I8_CLAMP,
        Builtin.PACK4X_U8,
        Builtin.PACK4X_U8_CLAMP,
        Builtin.QUANTIZE_TO_F16,
        Builtin.REVERSE_BITS,
        Builtin.UNPACK2X16_FLOAT,
        Builtin.UNPACK2X16_SNORM,
        Builtin.UNPACK2X16_UNORM,
        Builtin.UNPACK4X8_SNORM,
        Builtin.UNPACK4X8_UNORM,
        Builtin.UNPACK4X_I8,
        Builtin.UNPACK4X_U8,
        # structures, vectors and matrices: formulas write their components
        Builtin.ALL,
        Builtin.ANY,
        Builtin.CROSS,
        Builtin.DETERMINANT,
        Builtin.DOT,
        Builtin.FACE_FORWARD,
        Builtin.FREXP,
        Builtin.MODF,
        Builtin.NORMALIZE,
        Builtin.REFLECT,
        Builtin.REFRACT,
        Builtin.TRANSPOSE,
    }
)
