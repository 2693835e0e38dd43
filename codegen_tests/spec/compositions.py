"""Functions of formulas in 60 digits, with their slopes: what a derived slope in float32 is held to, wherever it is representable.

exact(rows["exp(@)"], rows["-(@)"], 2.0).slope       # the slope of exp(-x) at 2
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportMissingTypeStubs=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import mpmath
import numpy as np

mp: Any = mpmath.MPContext()
mp.dps = 60
Number: TypeAlias = Any
Real: TypeAlias = Callable[[Number], Number]
M: Any = mp.mpf

POINTS = np.array([0, 1e-30, -1e-30, 20, -20, 88, -88, 89, -89, 1e4, -1e4, 0.5, -0.5, 1.25, -3, 5, -44, 44], np.float32)
SMALLEST, LARGEST = M(1.2e-38), M(3.4028e38)
"""What float32 holds without its subnormal numbers, which devices may take for 0."""
RELATIVE = M(1e-5)
NEARLY = M(2) ** -22
"""How far the inner value in float32 may be off, in itself: what it moves the slope by is allowed."""
SENSITIVE = 20
"""A slope that moves by more than its 20th part is decided by rounding: it is no test."""


@dataclass(frozen=True, slots=True)
class Row:
    """A function and its slope; None where it has none."""

    value: Real
    slope: Real


@dataclass(frozen=True, slots=True)
class Slope:
    """An exact slope, what it may be off in float32, and the factors of it that float32 cannot hold."""

    slope: Number
    allowed: Number
    lost: tuple[str, ...]


def grown(x: Number) -> Number:
    """exp, where it is far beyond any float without its digits."""
    if abs(x) > 10**7:
        return mp.inf if x > 0 else M(0)
    return mp.exp(x)


def logistic(x: Number) -> Number:
    small = grown(-abs(x))
    return 1 / (1 + small) if x >= 0 else small / (1 + small)


def sech_squared(x: Number) -> Number:
    small = grown(-2 * abs(x))
    return 4 * small / (1 + small) ** 2


def tanh(x: Number) -> Number:
    small = grown(-2 * abs(x))
    return mp.sign(x) * (1 - small) / (1 + small)


def sinh(x: Number) -> Number:
    return mp.sinh(x) if abs(x) < 1 else (grown(x) - grown(-x)) / 2


def cosh(x: Number) -> Number:
    return (grown(x) + grown(-x)) / 2


def softplus(x: Number) -> Number:
    return x if x > 10**7 else mp.log1p(grown(x))


SCALE, CUBE = M(2 * 0.7978845608028654), M(0.044715)


def gelu(x: Number) -> Number:
    return x * logistic(SCALE * (x + CUBE * x**3)) if abs(x) < 10**5 else max(x, M(0))


def gelu_slope(x: Number) -> Number:
    if abs(x) > 10**5:
        return M(x > 0)
    v = SCALE * (x + CUBE * x**3)
    return logistic(v) * (1 + x * logistic(-v) * SCALE * (1 + 3 * CUBE * x**2))


def silu_slope(x: Number) -> Number:
    return logistic(x) * (1 + x * logistic(-x))


def expm1(x: Number) -> Number:
    return mp.expm1(x) if abs(x) < 1 else grown(x) - 1


def exprel(x: Number) -> Number:
    return 1 + x / 2 if abs(x) < M(10) ** -20 else expm1(x) / x


def exprel_slope(x: Number) -> Number:
    if abs(x) < M(10) ** -15:
        return M(1) / 2 + x / 3
    return mp.inf if x > 10**7 else (x * grown(x) - expm1(x)) / x**2


def exprel_bend(x: Number) -> Number:
    if abs(x) < M(10) ** -12:
        return M(1) / 3 + x / 4
    return mp.inf if x > 10**7 else (grown(x) - 2 * exprel_slope(x)) / x


def root(x: Number) -> Number:
    return mp.sqrt(x) if x >= 0 else mp.nan


def one(_: Number) -> Number:
    return M(1)


def within(low: float, high: float, function: Real) -> Real:
    return lambda x: function(x) if low < x < high else mp.nan


def nonzero(function: Real) -> Real:
    return lambda x: function(x) if x != 0 else mp.nan


def cut(low: float, high: float) -> Row:
    return Row(lambda x: min(max(x, M(low)), M(high)), lambda x: M(low <= x <= high))


def smooth(t: Number) -> Number:
    return t * t * (3 - 2 * t)


INF = float("inf")
LOG_2 = mp.log(2)
INNER = "@"
ROWS: dict[str, Row] = {
    INNER: Row(lambda x: x, one),
    "exp(@)": Row(grown, grown),
    "exp2(@)": Row(lambda x: grown(x * LOG_2), lambda x: LOG_2 * grown(x * LOG_2)),
    "expm1(@)": Row(expm1, grown),
    "exprel(@)": Row(exprel, exprel_slope),
    "exprel_slope(@)": Row(exprel_slope, exprel_bend),
    "log(@)": Row(within(0, INF, mp.log), within(0, INF, lambda x: 1 / x)),
    "log2(@)": Row(within(0, INF, lambda x: mp.log(x) / LOG_2), within(0, INF, lambda x: 1 / (x * LOG_2))),
    "log1p(@)": Row(within(-1, INF, mp.log1p), within(-1, INF, lambda x: 1 / (1 + x))),
    "sqrt(@)": Row(root, within(0, INF, lambda x: 1 / (2 * mp.sqrt(x)))),
    "rsqrt(@)": Row(within(0, INF, lambda x: 1 / mp.sqrt(x)), within(0, INF, lambda x: -1 / (2 * mp.sqrt(x) ** 3))),
    "sigmoid(@)": Row(logistic, lambda x: logistic(x) * logistic(-x)),
    "tanh(@)": Row(tanh, sech_squared),
    "silu(@)": Row(lambda x: x * logistic(x), silu_slope),
    "softplus(@)": Row(softplus, logistic),
    "gelu(@)": Row(gelu, gelu_slope),
    "relu(@)": Row(lambda x: max(x, M(0)), lambda x: M(x > 0)),
    "abs(@)": Row(abs, mp.sign),
    "sin(@)": Row(mp.sin, mp.cos),
    "cos(@)": Row(mp.cos, lambda x: -mp.sin(x)),
    "tan(@)": Row(mp.tan, lambda x: 1 / mp.cos(x) ** 2),
    "asin(@)": Row(within(-1, 1, mp.asin), within(-1, 1, lambda x: 1 / mp.sqrt((1 - x) * (1 + x)))),
    "acos(@)": Row(within(-1, 1, mp.acos), within(-1, 1, lambda x: -1 / mp.sqrt((1 - x) * (1 + x)))),
    "atan(@)": Row(mp.atan, lambda x: 1 / (1 + x * x)),
    "sinh(@)": Row(sinh, cosh),
    "cosh(@)": Row(cosh, sinh),
    "asinh(@)": Row(mp.asinh, lambda x: 1 / mp.sqrt(1 + x * x)),
    "acosh(@)": Row(within(1, INF, mp.acosh), within(1, INF, lambda x: 1 / mp.sqrt((x - 1) * (x + 1)))),
    "atanh(@)": Row(within(-1, 1, mp.atanh), within(-1, 1, lambda x: 1 / ((1 - x) * (1 + x)))),
    "degrees(@)": Row(lambda x: x * 180 / mp.pi, lambda _: 180 / mp.pi),
    "saturate(@)": cut(0, 1),
    "clamp(@, -1, 3)": cut(-1, 3),
    "max(@, 0.5)": Row(lambda x: max(x, M(0.5)), lambda x: M(x >= 0.5)),
    "min(@, 0.5)": Row(lambda x: min(x, M(0.5)), lambda x: M(x <= 0.5)),
    "smoothstep(-1, 3, @)": Row(
        lambda x: smooth(min(max((x + 1) / 4, M(0)), M(1))),
        lambda x: 6 * (x + 1) * (3 - x) / 64 if -1 < x < 3 else M(0),
    ),
    "mix(@, 2, 0.25)": Row(lambda x: x * M(0.75) + M(0.5), lambda _: M(0.75)),
    "fma(@, 3, 1)": Row(lambda x: 3 * x + 1, lambda _: M(3)),
    "ldexp(@, 3)": Row(lambda x: 8 * x, lambda _: M(8)),
    "distance(@, 1)": Row(lambda x: abs(x - 1), lambda x: mp.sign(x - 1)),
    "atan2(@, 2)": Row(lambda x: mp.atan2(x, 2), lambda x: 2 / (4 + x * x)),
    "atan2(2, @)": Row(lambda x: mp.atan2(2, x), lambda x: -2 / (4 + x * x)),
    "(@) ** 2": Row(lambda x: x * x, lambda x: 2 * x),
    "(@) ** 3": Row(lambda x: x**3, lambda x: 3 * x * x),
    "(@) ** -2": Row(nonzero(lambda x: x**-2), nonzero(lambda x: -2 * x**-3)),
    "pow(@, 2.5)": Row(lambda x: root(x) ** 5, lambda x: M(2.5) * root(x) ** 3),
    "1 / (@)": Row(nonzero(lambda x: 1 / x), nonzero(lambda x: -1 / x**2)),
    "-(@)": Row(lambda x: -x, lambda _: M(-1)),
    "1 / (1 + exp(-(@)))": Row(logistic, lambda x: logistic(x) * logistic(-x)),
    "log(1 + exp(@))": Row(softplus, logistic),
    "(1 + tanh(@)) / 2": Row(lambda x: logistic(2 * x), lambda x: sech_squared(x) / 2),
    "(@) / (1 + exp(-(@)))": Row(lambda x: x * logistic(x), silu_slope),
    "log(sigmoid(@))": Row(lambda x: -softplus(-x), lambda x: logistic(-x)),
}
"""Every function of numbers that has a slope, and spellings of some; `@` is the argument."""

PRODUCTS: dict[str, Row] = {
    "exp(-(@) * (@))": Row(lambda x: grown(-x * x), lambda x: -2 * x * grown(-x * x)),
    "(@) * exp(-(@))": Row(lambda x: x * grown(-x), lambda x: (1 - x) * grown(-x)),
    "(@) * tanh(@)": Row(lambda x: x * tanh(x), lambda x: tanh(x) + x * sech_squared(x)),
    "sqrt((@) * (@) + 1)": Row(lambda x: mp.sqrt(x * x + 1), lambda x: x / mp.sqrt(x * x + 1)),
    "(@) * tanh(softplus(@))": Row(
        lambda x: x * tanh(softplus(x)), lambda x: tanh(softplus(x)) + x * logistic(x) * sech_squared(softplus(x))
    ),
    "(@) * sigmoid(1.702 * (@))": Row(
        lambda x: x * logistic(M("1.702") * x),
        lambda x: logistic(M("1.702") * x) * (1 + M("1.702") * x * logistic(-M("1.702") * x)),
    ),
    "0.5 * (@) * (1 + tanh(0.7978845608028654 * ((@) + 0.044715 * (@) * (@) * (@))))": Row(gelu, gelu_slope),
    "(exp(@) - 1) / (@)": Row(exprel, exprel_slope),
}
"""Formulas with products: their own parts may be no float32 where they are."""


def held(x: Number) -> bool:
    """Whether float32 has a number."""
    return x == 0 or SMALLEST < abs(x) < LARGEST


def exact(outer: Row, inner: Row, x: float) -> Slope | None:
    """The slope of a composition; None where it has none, is decided by rounding or is itself no float32."""
    at = M(float(x))
    value, gain = inner.value(at), inner.slope(at)
    if not mp.isfinite(value) or mp.isnan(gain):
        return None
    around = [outer.slope(value * (1 + k * NEARLY)) for k in (0, -4, 4, 1, -1, 2.3, -2.7, 0.6, -0.4)]
    if any(mp.isnan(s) for s in around):
        return None
    slopes = [s * gain for s in around]
    moved = max(abs(s - slopes[0]) for s in slopes)
    if not abs(slopes[0]) < LARGEST or not moved <= abs(slopes[0]) / SENSITIVE + SMALLEST:
        return None
    factors = {"the inner value": value, "the inner slope": gain, "the outer slope": around[0]}
    lost = tuple(n for n, f in factors.items() if not held(f))
    return Slope(slopes[0], RELATIVE * abs(slopes[0]) + 2 * moved + SMALLEST, lost)


def wrong(found: Any, outer: Row, inner: Row) -> list[tuple[float, float, str, tuple[str, ...]]]:
    """Where a slope in float32 is not finite or not right: the point, what was found, what is right, and what float32 cannot hold of it."""
    places: list[tuple[float, float, str, tuple[str, ...]]] = []
    for x, slope in zip(POINTS.tolist(), np.asarray(found, np.float64).tolist()):
        true = exact(outer, inner, x)
        if true is not None and not (np.isfinite(slope) and abs(M(slope) - true.slope) <= true.allowed):
            places.append((x, slope, mp.nstr(true.slope, 6), true.lost))
    return places
