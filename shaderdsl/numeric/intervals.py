"""Interval arithmetic on the values that a device may compute: every operation rounds outwards and may flush subnormals.

x, y = point(np.float64([1.0]), F32), point(np.float64([1e-9]), F32)
(x + y) is [1, 1.0000001]: a correctly rounded sum may be either neighbour
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.ir.accuracy import ACCURACY, Accuracy, Bound, UlpsWithin
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F16, F32, Scalar
from shaderdsl.numeric.values import Wide


@dataclass(frozen=True, slots=True)
class Format:
    """A float type's grid: its dtype, bits after the leading one, least normal exponent and largest finite value."""

    scalar: Scalar
    dtype: type[np.floating[Any]]
    fraction_bits: int
    least_exponent: int
    largest: float

    @property
    def tiny(self) -> float:
        """The least normal number; anything smaller may be flushed to zero."""
        return 2.0**self.least_exponent

    def bound(self, accuracy: Accuracy) -> Bound:
        """The bound for this type."""
        bound = accuracy.f16 if self.scalar == F16 else accuracy.f32
        if bound is None:
            raise InternalError(f"no accuracy bound for {self.scalar}")
        return bound

    def ulp(self, x: Wide) -> Wide:
        """The least distance of two numbers around x (so the lower binade's at a power of two); `tiny` where x may flush."""
        magnitude = np.abs(x)
        fraction, exponent = np.frexp(magnitude)
        binade = np.maximum(exponent - 1 - (fraction == 0.5), self.least_exponent)
        return np.where(magnitude < self.tiny, self.tiny, np.ldexp(1.0, binade - self.fraction_bits))

    def below(self, x: Wide) -> Wide:
        """The greatest number of the grid that is not above x."""
        near = x.astype(self.dtype)
        down = np.nextafter(near, self.dtype(-np.inf))
        return np.where(near.astype(np.float64) > x, down, near).astype(np.float64)

    def above(self, x: Wide) -> Wide:
        """The least number of the grid that is not below x."""
        return -self.below(-x)


FORMATS: dict[Scalar, Format] = {
    F32: Format(F32, np.float32, 23, -126, float(np.finfo(np.float32).max)),
    F16: Format(F16, np.float16, 10, -14, 65504.0),
}


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Everything that a step may have computed: arrays of lower and upper ends, infinite where nothing is promised."""

    low: Wide
    high: Wide
    format: Format

    def __add__(self, other: Interval) -> Interval:
        return rounded(toward(self.low, other.low, -np.inf), toward(self.high, other.high, np.inf), self.format)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.format)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        return rounded(*corners(np.multiply, self, other), self.format)

    def __truediv__(self, other: Interval) -> Interval:
        bound = self.format.bound(ACCURACY[BinaryOp.DIV])
        if not isinstance(bound, UlpsWithin):
            raise InternalError("division has another kind of bound")
        low, high = widened(*corners(np.divide, self, other), bound.count, self.format)
        return rounded(low, high, self.format).unless(~within(other, bound.low, bound.high))

    def join(self, other: Interval) -> Interval:
        """The least interval that holds both."""
        return Interval(np.minimum(self.low, other.low), np.maximum(self.high, other.high), self.format)

    def unless(self, lost: np.ndarray[Any, np.dtype[np.bool_]]) -> Interval:
        """No promise where `lost` holds."""
        return Interval(np.where(lost, -np.inf, self.low), np.where(lost, np.inf, self.high), self.format)

    def part(self, index: int) -> Interval:
        """A component of a vector, which lies on the last axis."""
        return Interval(self.low[..., index], self.high[..., index], self.format)

    def spread(self) -> Interval:
        """A scalar beside vectors: with a component axis of one."""
        return Interval(self.low[..., None], self.high[..., None], self.format)


def point(x: Wide, format: Format) -> Interval:
    """An input: its own value, or zero too where it is subnormal."""
    small = np.abs(x) < format.tiny
    known = Interval(np.where(small, np.minimum(x, 0.0), x), np.where(small, np.maximum(x, 0.0), x), format)
    return known.unless(~np.isfinite(x))


def constant(x: float, format: Format) -> Interval:
    """A literal of an expression, to within its rounding."""
    value = np.asarray(x, dtype=np.float64)
    return rounded(value, value, format)


def rounded(low: Wide, high: Wide, format: Format) -> Interval:
    """Ends moved outwards to the grid, zero let in beside subnormals; beyond the largest value nothing is promised."""
    low = np.where((low > 0) & (low < format.tiny), 0.0, format.below(low))
    high = np.where((high < 0) & (high > -format.tiny), 0.0, format.above(high))
    finite = (low >= -format.largest) & (high <= format.largest)  # false for NaN too
    return Interval(low, high, format).unless(~finite)


def widened(low: Wide, high: Wide, ulps: float | Wide, format: Format) -> tuple[Wide, Wide]:
    """Ends moved outwards by a number of units in the last place."""
    return low - ulps * format.ulp(low), high + ulps * format.ulp(high)


def toward(x: Wide, y: Wide, direction: float) -> Wide:
    """x + y, one float64 further in the direction if float64 itself rounded the other way."""
    total = np.add(x, y)
    back = total - x
    error = (x - (total - back)) + (y - back)
    return np.where(error * direction > 0, np.nextafter(total, direction), total)


def corners(function: Any, x: Interval, y: Interval) -> tuple[Wide, Wide]:
    """Least and greatest of the function at the four pairs of ends; NaN where one of them is."""
    ends = [function(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    return np.asarray(np.minimum.reduce(ends)), np.asarray(np.maximum.reduce(ends))


def within(x: Interval, low: float, high: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether the magnitude of every value of the interval lies in [low, high]."""
    positive = (x.low >= low) & (x.high <= high)
    negative = (x.high <= -low) & (x.low >= -high)
    return np.asarray(positive | negative)
