"""Absolute values, signs, bounds, steps and blends, and the fused product.

RANGES[Builtin.CLAMP](np.float32([nan]), np.float32([-1]), np.float32([1])) is [-1]: of NaN and a number, min and max give the number
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.values import Array, Wide, widen


def clamp(x: Array, low: Array, high: Array) -> Array:
    """min(max(x, low), high): high wins where the bounds cross, and NaN becomes low."""
    return np.fmin(np.fmax(x, low), high)


def saturate(x: Array) -> Array:
    """x within [0, 1]; NaN becomes 0."""
    return np.fmin(np.fmax(x, x.dtype.type(0)), x.dtype.type(1))


def step(edge: Array, x: Array) -> Array:
    """1 where edge <= x, else 0 (and for NaN)."""
    return np.less_equal(edge, x).astype(x.dtype)


def smoothstep(low: Array, high: Array, x: Array) -> Array:
    """The cubic from 0 at low to 1 at high; where low = high, 0 below and at it and 1 above."""
    start = widen(low)
    t = np.fmin(np.fmax((widen(x) - start) / (widen(high) - start), 0.0), 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t)).astype(x.dtype)


def mix(x: Array, y: Array, blend: Array) -> Array:
    """x * (1 - blend) + y * blend, rounded once."""
    weight = widen(blend)
    return np.asarray(widen(x) * (1.0 - weight) + widen(y) * weight).astype(x.dtype)


def fused(x: Array, y: Array, z: Array) -> Array:
    """x * y + z with a single rounding."""
    product, addend = widen(x) * widen(y), widen(z)  # the product is exact: 48 bits at most
    total = product + addend
    back = total - product
    error = (product - (total - back)) + (addend - back)
    return round_to_odd(total, error).astype(x.dtype)


def round_to_odd(total: Wide, error: Wide) -> Wide:
    """The sum total + error rounded to the neighbour with an odd last bit, so that the second rounding, to f32, is the only one that counts."""
    bits = np.asarray(total).view(np.int64)
    inexact = np.isfinite(error) & (error != 0)
    # One step of the pattern is one step of the magnitude: up where the error has the total's sign, else down.
    outwards = np.where((error > 0) == (total > 0), 1, -1)
    return np.asarray(np.where(inexact & (bits & 1 == 0), bits + outwards, bits)).view(np.float64)


RANGES: dict[Builtin, Callable[..., Array]] = {
    Builtin.ABS: np.abs,
    Builtin.CLAMP: clamp,
    Builtin.FMA: fused,
    Builtin.MAX: np.fmax,
    Builtin.MIN: np.fmin,
    Builtin.MIX: mix,
    Builtin.SATURATE: saturate,
    Builtin.SIGN: np.sign,
    Builtin.SMOOTHSTEP: smoothstep,
    Builtin.STEP: step,
}
