"""Operations whose accuracy the specification inherits from an expression: that expression, on intervals.

atanh(x) is log((1 + x) / (1 - x)) * 0.5, each step rounded outwards
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.ir.accuracy import ACCURACY, WorseOf
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.types import F16
from shaderdsl.numeric.interval_functions import (
    atan2,
    clamp,
    cos,
    dot,
    exp,
    exp2,
    floor,
    log,
    log2,
    sin,
    square_root,
    trunc,
    unknown,
)
from shaderdsl.numeric.intervals import FORMATS, Interval, constant, rounded
from shaderdsl.numeric.values import Wide


def remainder(x: Interval, y: Interval) -> Interval:
    """x - y * trunc(x / y), or the exact remainder, which a device may have too."""
    return x - y * trunc(x / y)


def times(factor: float) -> Callable[[Interval], Interval]:
    """A product with a constant."""

    def apply(x: Interval) -> Interval:
        return x * constant(factor, x.format)

    return apply


def one(x: Interval) -> Interval:
    return constant(1.0, x.format)


def half(x: Interval) -> Interval:
    return x * constant(0.5, x.format)


def worse(builtin: Builtin, function: Callable[[Wide], Wide], x: Interval, form: Interval) -> Interval:
    """Whichever is wider, an absolute error around the function or the inherited form: their union."""
    bound = x.format.bound(ACCURACY[builtin])
    if not isinstance(bound, WorseOf):
        raise InternalError(f"{builtin.value} has another kind of bound")
    low, high = np.sort(np.stack([function(x.low), function(x.high)]), axis=0)
    return rounded(low - bound.error, high + bound.error, x.format).join(form)


def leg(x: Interval) -> Interval:
    return square_root(one(x) - x * x)


def sinh(x: Interval) -> Interval:
    return half(exp(x) - exp(-x))


def cosh(x: Interval) -> Interval:
    return half(exp(x) + exp(-x))


def length(x: Interval) -> Interval:
    """For one component the specification has sqrt(x * x)."""
    return square_root(x.part(0) * x.part(0) if x.low.shape[-1] == 1 else dot(x, x))


def cross(x: Interval, y: Interval) -> Interval:
    after, before = [1, 2, 0], [2, 0, 1]

    def pick(v: Interval, order: list[int]) -> Interval:
        return Interval(v.low[..., order], v.high[..., order], v.format)

    return pick(x, after) * pick(y, before) - pick(x, before) * pick(y, after)


def mix(x: Interval, y: Interval, blend: Interval) -> Interval:
    """The specification's form, or x + (y - x) * blend, which drivers use and the conformance suite takes too."""
    return (x * (one(blend) - blend) + y * blend).join(x + (y - x) * blend)


def saturate(x: Interval) -> Interval:
    return clamp(x, constant(0.0, x.format), one(x))


def smoothstep(low: Interval, high: Interval, x: Interval) -> Interval:
    t = clamp((x - low) / (high - low), constant(0.0, x.format), one(x))
    return t * t * (constant(3.0, x.format) - constant(2.0, x.format) * t)


def face_forward(x: Interval, y: Interval, z: Interval) -> Interval:
    """x or -x, and both where the sign of the dot product is not certain."""
    product = dot(z, y).spread()
    kept, turned = product.low < 0, product.high >= 0
    low = np.where(kept & turned, np.minimum(x.low, -x.high), np.where(kept, x.low, -x.high))
    high = np.where(kept & turned, np.maximum(x.high, -x.low), np.where(kept, x.high, -x.low))
    return Interval(low, high, x.format)


def reflect(x: Interval, y: Interval) -> Interval:
    return x - constant(2.0, x.format) * dot(x, y).spread() * y


def refract(x: Interval, y: Interval, z: Interval) -> Interval:
    """Precisely 0 where k < 0; no bound where k's sign is not certain."""
    ratio = z if z.low.ndim == x.low.ndim else z.spread()
    cosine = dot(y, x).spread()
    k = one(x) - ratio * ratio * (one(x) - cosine * cosine)
    bent = ratio * x - (ratio * cosine + square_root(k)) * y
    total = np.broadcast_to(k.high < 0, bent.low.shape)
    return Interval(np.where(total, 0.0, bent.low), np.where(total, 0.0, bent.high), x.format)


def quantized(x: Interval) -> Interval:
    """Either f16 neighbour; an f16 subnormal may be flushed."""
    return rounded(x.low, x.high, FORMATS[F16])


def fraction(x: Interval) -> Interval:
    """x - floor(x) for each whole number that x may lie above."""
    found = x - floor(x)
    return Interval(np.maximum(found.low, 0.0), np.minimum(found.high, 1.0), x.format)


def frexp_fract(x: Interval) -> Interval:
    """Within the bound for zero and normal x only."""
    whole = x.low == x.high
    return Interval(np.frexp(x.low)[0], np.frexp(x.high)[0], x.format).unless(~whole)


def modf_fract(x: Interval) -> Interval:
    return Interval(np.fmod(x.low, 1.0), np.fmod(x.high, 1.0), x.format).unless(unknown(x))


def transposed(x: Interval) -> Interval:
    return Interval(np.swapaxes(x.low, -1, -2), np.swapaxes(x.high, -1, -2), x.format)


def no_bound(x: Interval) -> Interval:
    """A matrix has one determinant, of which nothing is promised."""
    lost = np.ones(x.low.shape[:-2], dtype=np.bool_)
    return Interval(np.zeros(lost.shape), np.zeros(lost.shape), x.format).unless(lost)


def acos(x: Interval) -> Interval:
    return worse(Builtin.ACOS, np.arccos, x, atan2(leg(x), x))


def asin(x: Interval) -> Interval:
    return worse(Builtin.ASIN, np.arcsin, x, atan2(x, leg(x)))


def tanh(x: Interval) -> Interval:
    return worse(Builtin.TANH, np.tanh, x, sinh(x) / cosh(x))


def acosh(x: Interval) -> Interval:
    return log(x + square_root(x * x - one(x)))


def asinh(x: Interval) -> Interval:
    return log(x + square_root(x * x + one(x)))


def atanh(x: Interval) -> Interval:
    return half(log((one(x) + x) / (one(x) - x)))


def tan(x: Interval) -> Interval:
    return sin(x) / cos(x)


def power(x: Interval, y: Interval) -> Interval:
    return exp2(y * log2(x))


def fused(x: Interval, y: Interval, z: Interval) -> Interval:
    return x * y + z


def distance(x: Interval, y: Interval) -> Interval:
    return length(x - y)


def normalize(x: Interval) -> Interval:
    return x / length(x).spread()
