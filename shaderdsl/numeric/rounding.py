"""Rounding, splitting and scaling of floats: exact in the operand's own precision.

ROUNDING[Builtin.ROUND](np.float32([0.5, 1.5, 2.5])) is [0, 2, 2]: half goes to even
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.values import Array, Value, widen

FAR = 400
"""A power of two that takes every f32 to zero or infinity, and yet keeps every result exact in float64."""


def fraction(x: Array) -> Array:
    """x - floor(x); 1.0 for a tiny negative x, whose exact answer rounds up to it."""
    return np.subtract(x, np.floor(x))


def split_exponent(x: Array) -> Value:
    """(fract, exp) with x = fract * 2^exp and |fract| in [0.5, 1); exp is 0 for zero, infinities and NaN."""
    fract, exponent = np.frexp(x)
    return np.asarray(fract), np.where(np.isfinite(x), exponent, 0).astype(np.int32)


def split_whole(x: Array) -> Value:
    """(fract, whole), both with the sign of x; the fract of an infinity is 0."""
    fract, whole = np.modf(x)
    return np.asarray(fract), np.asarray(whole)


def scale_exponent(x: Array, exponent: Array) -> Array:
    """x * 2^exponent, rounded once."""
    return np.asarray(np.ldexp(widen(x), np.clip(exponent, -FAR, FAR))).astype(x.dtype)


def quantize(x: Array) -> Array:
    """x as the nearest f16, kept as f32; infinite beyond the range of f16."""
    return x.astype(np.float16).astype(np.float32)


ROUNDING: dict[Builtin, Callable[..., Value]] = {
    Builtin.CEIL: np.ceil,
    Builtin.FLOOR: np.floor,
    Builtin.FRACT: fraction,
    Builtin.FREXP: split_exponent,
    Builtin.LDEXP: scale_exponent,
    Builtin.MODF: split_whole,
    Builtin.QUANTIZE_TO_F16: quantize,
    Builtin.ROUND: np.rint,
    Builtin.TRUNC: np.trunc,
}
