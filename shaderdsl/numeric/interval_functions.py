"""The builtins that have a bound of their own, as functions of intervals.

exp(point(np.float64([1.0]), FORMATS[F32])) holds e, five units in the last place to each side
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.ir.accuracy import ACCURACY, Absolute, Ulps, UlpsWithin
from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.intervals import Interval, corners, rounded, widened, within
from shaderdsl.numeric.values import Wide

Monotone = Callable[[Any], Any]


def exact(function: Monotone) -> Callable[[Interval], Interval]:
    """A non-decreasing function whose result is representable or rounded correctly."""

    def apply(x: Interval) -> Interval:
        return rounded(function(x.low), function(x.high), x.format).unless(unknown(x))

    return apply


def unknown(x: Interval) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Where nothing is known of the argument."""
    return np.isinf(x.low) | np.isinf(x.high)


def in_ulps(builtin: Builtin, function: Monotone) -> Callable[[Interval], Interval]:
    """A non-decreasing function bounded in units in the last place."""

    def apply(x: Interval) -> Interval:
        bound = x.format.bound(ACCURACY[builtin])
        if not isinstance(bound, Ulps):
            raise InternalError(f"{builtin.value} has another kind of bound")
        error = bound.count + bound.slope * np.maximum(np.abs(x.low), np.abs(x.high))
        return rounded(*widened(function(x.low), function(x.high), error, x.format), x.format).unless(unknown(x))

    return apply


exp = in_ulps(Builtin.EXP, np.exp)
exp2 = in_ulps(Builtin.EXP2, np.exp2)
atan = in_ulps(Builtin.ATAN, np.arctan)
trunc = exact(np.trunc)
floor = exact(np.floor)


def inverse_square_root(x: Interval) -> Interval:
    """Decreasing, and undefined from zero down."""
    bound = x.format.bound(ACCURACY[Builtin.INVERSE_SQRT])
    if not isinstance(bound, Ulps):
        raise InternalError("inverseSqrt has another kind of bound")
    ends = 1.0 / np.sqrt(x.high), 1.0 / np.sqrt(x.low)
    return rounded(*widened(*ends, bound.count, x.format), x.format).unless(x.low <= 0)


def logarithm(builtin: Builtin, function: Monotone) -> Callable[[Interval], Interval]:
    """Absolute near 1 and in units elsewhere: an end takes the larger error where the argument is not a single point."""

    def apply(x: Interval) -> Interval:
        bound = x.format.bound(ACCURACY[builtin])
        if not isinstance(bound, Absolute) or bound.outside is None:
            raise InternalError(f"{builtin.value} has another kind of bound")
        near = (x.low <= bound.high) & (x.high >= bound.low)
        far = (x.low < bound.low) | (x.high > bound.high)
        low, high = function(x.low), function(x.high)
        ulps = bound.outside.count
        margins = [np.maximum(near * bound.error, far * ulps * x.format.ulp(end)) for end in (low, high)]
        return rounded(low - margins[0], high + margins[1], x.format).unless(~(x.low > 0))

    return apply


log = logarithm(Builtin.LOG, np.log)
log2 = logarithm(Builtin.LOG2, np.log2)


def wave(builtin: Builtin, function: Monotone) -> Callable[[Interval], Interval]:
    """Sine and cosine: their slope is at most 1, so half the argument's width bounds what it adds."""

    def apply(x: Interval) -> Interval:
        bound = x.format.bound(ACCURACY[builtin])
        if not isinstance(bound, Absolute):
            raise InternalError(f"{builtin.value} has another kind of bound")
        middle, half = (x.low + x.high) / 2, (x.high - x.low) / 2
        value = function(middle)
        limit = float(x.format.dtype(bound.high))  # pi as the type has it, which may lie above pi
        outside = (x.low < -limit) | (x.high > limit)
        return rounded(value - bound.error - half, value + bound.error + half, x.format).unless(outside)

    return apply


sin = wave(Builtin.SIN, np.sin)
cos = wave(Builtin.COS, np.cos)


def atan2(y: Interval, x: Interval) -> Interval:
    """The angles at the corners; across the cut, everything from -pi to pi. No bound at a subnormal or zero y, as the specification has it."""
    bound = x.format.bound(ACCURACY[Builtin.ATAN2])
    if not isinstance(bound, UlpsWithin):
        raise InternalError("atan2 has another kind of bound")
    low, high = corners(np.arctan2, y, x)
    across = (y.low < 0) & (y.high >= 0) & (x.low < 0)
    low, high = np.where(across, -math.pi, low), np.where(across, math.pi, high)
    sure = within(x, bound.low, bound.high) & within(y, x.format.tiny, x.format.largest)
    return rounded(*widened(low, high, bound.count, x.format), x.format).unless(~sure)


def square_root(x: Interval) -> Interval:
    """1 / inverseSqrt(x): no bound at zero."""
    one = np.ones_like(x.low)
    return Interval(one, one, x.format) / inverse_square_root(x)


def absolute(x: Interval) -> Interval:
    straddles = (x.low <= 0) & (x.high >= 0)
    ends = np.abs(x.low), np.abs(x.high)
    return Interval(np.where(straddles, 0.0, np.minimum(*ends)), np.maximum(*ends), x.format).unless(unknown(x))


def least(x: Interval, y: Interval) -> Interval:
    """The smaller; of two subnormals (zero counts) either."""
    found = Interval(np.minimum(x.low, y.low), np.minimum(x.high, y.high), x.format)
    return either_if_small(found, x, y)


def greatest(x: Interval, y: Interval) -> Interval:
    """The larger; of two subnormals (zero counts) either."""
    found = Interval(np.maximum(x.low, y.low), np.maximum(x.high, y.high), x.format)
    return either_if_small(found, x, y)


def either_if_small(found: Interval, x: Interval, y: Interval) -> Interval:
    """What min and max share: both inputs where both lie below the normal numbers, nothing where an input is unknown."""
    tiny = x.format.tiny
    small = (np.maximum(np.abs(x.low), np.abs(x.high)) < tiny) & (np.maximum(np.abs(y.low), np.abs(y.high)) < tiny)
    both = x.join(y)
    low, high = np.where(small, both.low, found.low), np.where(small, both.high, found.high)
    return Interval(low, high, x.format).unless(unknown(x) | unknown(y))


def clamp(x: Interval, low: Interval, high: Interval) -> Interval:
    """Either formulation: min(max(x, low), high), or the median of the three; they differ where the bounds cross."""
    median = greatest(least(x, low), least(greatest(x, low), high))
    return least(greatest(x, low), high).join(median)


def step(edge: Interval, x: Interval) -> Interval:
    """0 where it may lie below the edge, 1 where it may not."""
    surely, possibly = edge.high <= x.low, edge.low <= x.high
    return Interval(surely.astype(np.float64), possibly.astype(np.float64), x.format).unless(unknown(x) | unknown(edge))


def dot(x: Interval, y: Interval) -> Interval:
    """The sum over the last axis in any order: a conservative n units of the sum of magnitudes, and n flushed subnormals, to each side."""
    low, high = corners(np.multiply, x, y)
    count = x.low.shape[-1]
    size = np.sum(np.maximum(np.abs(low), np.abs(high)), axis=-1)
    margin = np.where(size == 0, 0.0, count * x.format.ulp(size)) + count * subnormal(low, high, x.format.tiny)
    total = rounded(np.sum(low, axis=-1) - margin, np.sum(high, axis=-1) + margin, x.format)
    return total.unless(~(size <= x.format.largest))


def subnormal(low: Wide, high: Wide, tiny: float) -> Wide:
    """`tiny` where any of the products may be flushed, else 0."""
    may_flush = (low < tiny) & (high > -tiny) & ((low != 0) | (high != 0))
    return np.any(may_flush, axis=-1) * tiny
