"""Numbers with how far a device's may be from them: running error analysis of single operations.

    a, b = exactly(np.float64([1.0])), exactly(np.float64([3.0]))
    (a / b).error        # what the specification allows a quotient, as float64

An error grows by the slope of what it goes through, and every operation adds what the WGSL specification allows it (`ir.accuracy`). What
a product or a quotient itself rounds is kept apart as `fresh`: in a long sum roundings that know nothing of each other add as their squares do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shaderdsl.ir.accuracy import ACCURACY, UlpsWithin
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F32
from shaderdsl.numeric.accuracy import interval
from shaderdsl.numeric.intervals import FORMATS
from shaderdsl.spec.functions import TABLE
from shaderdsl.testing.samples import Array

SINGLE = FORMATS[F32]
MEANINGS: dict[Builtin, Callable[..., Any]] = {f.builtin: f.meaning for f in TABLE if f.builtin is not None}
NONE: Any = np.float64(0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Values, and the most by which a device's may differ: `spread`, which comes from what went in, and `fresh`.

    A condition has an error above 0 where it may be decided either way.
    """

    value: Array
    spread: Array
    fresh: Array

    @property
    def error(self) -> Array:
        return self.spread + self.fresh

    def __add__(self, other: Near) -> Near:
        return made(self.value + other.value, self.error + other.error)

    def __neg__(self) -> Near:
        return Near(-self.value, self.spread, self.fresh)

    def __sub__(self, other: Near) -> Near:
        return self + -other

    def __mul__(self, other: Near) -> Near:
        spread = scaled(self, other) + scaled(other, self) + self.error * other.error
        return made(self.value * other.value, spread)

    def __truediv__(self, other: Near) -> Near:
        """What the specification says of quotients; no promise where the divisor may be 0."""
        bound = ACCURACY[BinaryOp.DIV].f32
        ulps = bound.count if isinstance(bound, UlpsWithin) else np.inf
        least = np.abs(other.value) - other.error
        value = np.asarray(self.value / other.value)
        off = (self.error + np.where(other.error > 0, np.abs(value) * other.error, 0.0)) / least
        outside = (least < SINGLE.tiny) | (np.abs(other.value) > 1 / SINGLE.tiny)
        return finite(Near(value, np.where(outside, np.inf, off), ulps * unit(value, self.value)))


def scaled(error_of: Near, factor: Near) -> Array:
    """|factor| times an error, 0 where there is none."""
    return np.where(error_of.error > 0, np.abs(factor.value) * error_of.error, 0.0)


def exactly(value: Any) -> Near:
    """What a device has as it is; a subnormal number may be taken for 0."""
    array = np.asarray(value)
    if array.dtype.kind != "f":
        return Near(array, NONE, NONE)
    small = (np.abs(array) < SINGLE.tiny) & (array != 0)
    return Near(array, np.where(small, np.abs(array), 0.0), NONE)


def literal(value: Any) -> Near:
    """A constant, rounded once."""
    array = np.asarray(value, np.float64)
    return Near(array, np.abs(array.astype(np.float32) - array), NONE)


def unit(value: Array, start: Array | None = None) -> Array:
    """The last place at a value; none where it is 0 times or over something. `start`: what it was made of."""
    nothing = value == 0 if start is None else start == 0
    return np.where(nothing & (value == 0), 0.0, SINGLE.ulp(value))


def made(value: Array, spread: Array) -> Near:
    """A result that is correctly rounded: to either neighbour, exactly where all that went in is exact and it fits."""
    fits = (np.asarray(spread) == 0) & (np.asarray(value).astype(np.float32) == value)
    return finite(Near(np.asarray(value), np.asarray(spread), np.where(fits, 0.0, SINGLE.ulp(np.asarray(value)))))


def finite(found: Near) -> Near:
    """No promise for what f32 does not hold, or may not hold."""
    total = np.abs(found.value) + found.error
    lost = ~(total <= SINGLE.largest)
    return Near(found.value, np.where(lost, np.inf, found.spread), found.fresh)


def converted(x: Near) -> Near:
    """Whole numbers and conditions as f32."""
    value = np.asarray(x.value, np.float64)
    off = np.abs(value.astype(np.float32) - value)
    return Near(value, np.where(np.asarray(x.error) > 0, np.inf, off), NONE)


def chosen(condition: Near, then: Near, otherwise: Near) -> Near:
    """`then` where the condition holds; where it may go either way, anything between both."""
    value = np.asarray(np.where(condition.value, then.value, otherwise.value))
    spread = np.where(condition.value, then.spread, otherwise.spread)
    fresh = np.where(condition.value, then.fresh, otherwise.fresh)
    between = np.abs(np.subtract(then.value, otherwise.value, dtype=np.float64)) + np.maximum(
        then.error, otherwise.error
    )
    return Near(value, np.where(condition.error > 0, between, spread), fresh)


def compared(function: Callable[..., Any], x: Near, y: Near) -> Near:
    """A condition. Equal numbers are one number, so that only a near miss is uncertain."""
    apart = np.abs(np.subtract(x.value, y.value, dtype=np.float64))
    close = (apart > 0) & (apart <= x.error + y.error)
    return Near(np.asarray(function(x.value, y.value)), close.astype(np.float64), NONE)


def extreme(function: Callable[..., Any], x: Near, y: Near) -> Near:
    """The greater or lesser of two: no rounding of its own."""
    return Near(np.asarray(function(x.value, y.value)), np.maximum(x.error, y.error), NONE)


def moved(function: Callable[..., Any], arguments: Sequence[Near]) -> Array:
    """How far a function goes where each argument moves by its error, one after the other."""
    start = np.asarray(function(*(a.value for a in arguments)))
    total: Array = np.zeros(start.shape)
    for place, argument in enumerate(arguments):
        if np.any(argument.error):
            ends = [[*(a.value for a in arguments)] for _ in range(2)]
            ends[0][place], ends[1][place] = argument.value - argument.error, argument.value + argument.error
            total = total + np.maximum(*(np.abs(np.asarray(function(*e)) - start) for e in ends))
    return np.where(np.isnan(total), np.inf, total)


def called(builtin: Builtin, arguments: Sequence[Near]) -> Near:
    """A builtin function: what goes in, moved, and the acceptance interval of the specification around the exact result."""
    meaning = MEANINGS[builtin]
    singles = [np.asarray(a.value, np.float64).astype(np.float32) for a in arguments]
    low, high = interval(builtin, singles, F32)
    exact = np.asarray(meaning(*(s.astype(np.float64) for s in singles)))
    own = np.maximum(np.maximum(high - exact, exact - low), 0.0)
    own = np.where(np.isnan(own), np.inf, own)
    value = np.asarray(meaning(*(a.value for a in arguments)))
    return finite(Near(value, moved(meaning, arguments), own))
