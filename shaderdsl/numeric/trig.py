"""Trigonometric and hyperbolic functions: evaluated in float64, rounded once.

TRIG[Builtin.SIN](np.float32([0.5])) is the float32 nearest to sin(0.5)
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.values import Array, Wide, widen


def once(function: Callable[[Wide], Wide]) -> Callable[[Array], Array]:
    """A function of float64 as one of f32 or f16 that rounds once, at its end."""

    def rounded(x: Array) -> Array:
        return np.asarray(function(widen(x))).astype(x.dtype)

    return rounded


def arctangent2(y: Array, x: Array) -> Array:
    """The angle of (x, y), in [-pi, pi]."""
    return np.asarray(np.arctan2(widen(y), widen(x))).astype(y.dtype)


def degrees(x: Wide) -> Wide:
    return x * (180.0 / math.pi)


def radians(x: Wide) -> Wide:
    return x * (math.pi / 180.0)


TRIG: dict[Builtin, Callable[..., Array]] = {
    Builtin.ACOS: once(np.arccos),
    Builtin.ACOSH: once(np.arccosh),
    Builtin.ASIN: once(np.arcsin),
    Builtin.ASINH: once(np.arcsinh),
    Builtin.ATAN: once(np.arctan),
    Builtin.ATAN2: arctangent2,
    Builtin.ATANH: once(np.arctanh),
    Builtin.COS: once(np.cos),
    Builtin.COSH: once(np.cosh),
    Builtin.DEGREES: once(degrees),
    Builtin.RADIANS: once(radians),
    Builtin.SIN: once(np.sin),
    Builtin.SINH: once(np.sinh),
    Builtin.TAN: once(np.tan),
    Builtin.TANH: once(np.tanh),
}
