"""What the scalar functions mean, on numpy arrays: float64 or complex128, int64 for whole numbers.

sigmoid(np.float64([-1e4, 0.0])) == [0.0, 0.5]

They stay finite wherever the result is. Complex numbers carry a complex step: kinks are decided by the real part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.types import I32, U32
from shaderdsl.numeric.builtins import call

Array: TypeAlias = npt.NDArray[Any]


def negative(x: Array) -> Array:
    return np.real(x) < 0


def absolute(x: Array) -> Array:
    return np.where(negative(x), -x, x)


def greatest(x: Array, y: Array) -> Array:
    """The first where both are equal; NaN where either is."""
    return np.where((np.real(x) >= np.real(y)) | np.isnan(x), x, y)


def least(x: Array, y: Array) -> Array:
    return np.where((np.real(x) <= np.real(y)) | np.isnan(x), x, y)


def clamp(x: Array, low: Array, high: Array) -> Array:
    return least(greatest(x, low), high)


def saturate(x: Array) -> Array:
    return clamp(x, np.asarray(0.0), np.asarray(1.0))


def relu(x: Array) -> Array:
    return np.where(np.real(x) > 0, x, np.where(np.isnan(x), x, 0 * np.real(x)))


def decayed(x: Array) -> Array:
    """exp(-|x|)."""
    return np.exp(-absolute(x))


def sigmoid(x: Array) -> Array:
    small = decayed(x)
    return np.where(negative(x), small, 1.0) / (1.0 + small)


def silu(x: Array) -> Array:
    return x * sigmoid(x)


def silu_slope(x: Array) -> Array:
    return sigmoid(x) * (1.0 + x * sigmoid(-x))


def log1p(x: Array) -> Array:
    """log(1 + x) near 1 too: numpy's own loses its digits for complex numbers."""
    if not np.iscomplexobj(x):
        return np.log1p(x)
    real, step = np.real(x), np.imag(x)
    return 0.5 * np.log1p(real * (2.0 + real) + step * step) + 1j * np.arctan2(step, 1.0 + real)


def expm1(x: Array) -> Array:
    return np.expm1(x)


def power_series(terms: Sequence[float], z: Array) -> Array:
    """By Horner, the highest power first."""
    found = 0.0 * z + terms[0]
    for each in terms[1:]:
        found = found * z + each
    return found


EXPREL_TERMS = tuple(1.0 / factorial(k + 1) for k in reversed(range(18)))
SLOPE_TERMS = tuple(k / factorial(k + 1) for k in reversed(range(1, 22)))


def parts_of_exprel(z: Array, bound: float) -> tuple[Array, Array, Array, Array]:
    """Where |z| is below a bound, z there, and else exp(z) / z and 1 / z; a series keeps the digits of a complex step."""
    near = np.abs(np.real(z)) < bound
    far = np.where(near, 1.0, least(z, np.asarray(1500.0)))
    half = np.exp(0.5 * far)
    return near, np.where(near, z, 0.0), (half / far) * half, 1.0 / far


def exprel(z: Array) -> Array:
    near, close, grown, inverse = parts_of_exprel(z, 0.5)
    return np.where(near, power_series(EXPREL_TERMS, close), grown - inverse)


def exprel_slope(z: Array) -> Array:
    near, close, grown, inverse = parts_of_exprel(z, 1.0)
    return np.where(near, power_series(SLOPE_TERMS, close), grown * (1.0 - inverse) + inverse * inverse)


def softplus(x: Array) -> Array:
    """max(x, 0) + log(1 + exp(-|x|)); no kink at 0, so both parts turn there on the same side."""
    return np.where(negative(x), 0.0, x) + log1p(decayed(x))


GELU_SCALE = 0.7978845608028654
"""sqrt(2 / pi)"""
GELU_CUBE = 0.044715
GELU_FARTHEST = 100.0
"""gelu's slope is 0 or 1 beyond."""


def gelu(x: Array) -> Array:
    """x * (1 + tanh(u)) / 2, which is x * sigmoid(2 u)."""
    return x * sigmoid(2.0 * GELU_SCALE * (x + GELU_CUBE * x * x * x))


def gelu_slope(x: Array) -> Array:
    """sigmoid(v) (1 + x sigmoid(-v) v') for v = 2 u."""
    x = clamp(x, np.asarray(-GELU_FARTHEST), np.asarray(GELU_FARTHEST))
    v = 2.0 * GELU_SCALE * (x + GELU_CUBE * x * x * x)
    grows = 2.0 * GELU_SCALE * (1.0 + 3.0 * GELU_CUBE * x * x)
    return sigmoid(v) * (1.0 + x * sigmoid(-v) * grows)


def tanh(x: Array) -> Array:
    small = np.exp(-2.0 * absolute(x))
    far = np.where(negative(x), -1.0, 1.0) * (1.0 - small) / (1.0 + small)
    return np.where(np.abs(np.real(x)) > 20.0, far, np.tanh(np.where(np.abs(np.real(x)) > 20.0, 0.0, x)))


def real_of(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A step function: constant around almost every point."""
    return lambda x: function(np.real(x))


def fract(x: Array) -> Array:
    return x - np.floor(np.real(x))


def fma(x: Array, y: Array, z: Array) -> Array:
    return x * y + z


def mix(x: Array, y: Array, blend: Array) -> Array:
    return x * (1.0 - blend) + y * blend


def smoothstep(low: Array, high: Array, x: Array) -> Array:
    t = saturate((x - low) / (high - low))
    return t * t * (3.0 - 2.0 * t)


def step(edge: Array, x: Array) -> Array:
    return np.where(np.real(edge) <= np.real(x), 1.0, 0.0)


def where(condition: Array, chosen: Array, otherwise: Array) -> Array:
    return np.where(condition, chosen, otherwise)


def power(x: Array, y: Array) -> Array:
    """x ** y; a whole exponent without an imaginary part is taken exactly."""
    if np.iscomplexobj(x) and not np.iscomplexobj(y) and np.ndim(y) == 0 and float(y).is_integer() and abs(y) <= 64:
        whole = np.asarray(x) ** int(abs(y))
        return whole if y >= 0 else 1.0 / whole
    return np.power(x, y)


def atan2(y: Array, x: Array) -> Array:
    angle = np.arctan2(np.real(y), np.real(x))
    if not (np.iscomplexobj(y) or np.iscomplexobj(x)):
        return angle
    square = np.real(x) ** 2 + np.real(y) ** 2
    return angle + 1j * (np.real(x) * np.imag(y) - np.real(y) * np.imag(x)) / square


def inverse_root(x: Array) -> Array:
    return 1.0 / np.sqrt(x)


def degrees(x: Array) -> Array:
    return x * (180.0 / np.pi)


def radians(x: Array) -> Array:
    return x * (np.pi / 180.0)


def distance(x: Array, y: Array) -> Array:
    return absolute(x - y)


def scaled(x: Array, exponent: Array) -> Array:
    return x * np.exp2(exponent)


def half(x: Array) -> Array:
    return np.real(x).astype(np.float16).astype(np.float64)


def identity(x: Array) -> Array:
    return x


def first(x: Array, _: Array) -> Array:
    return x


def truncated(least_value: int, most: int) -> Callable[[Array], Array]:
    """A number towards zero into a whole type; beyond its ends the end, NaN to 0 (WGSL's conversion)."""

    def convert(x: Array) -> Array:
        value = np.asarray(np.real(x))
        if value.dtype.kind in "iub":
            return value.astype(np.int64)
        return np.clip(np.trunc(np.nan_to_num(value, nan=0.0)), least_value, most).astype(np.int64)

    return convert


def to_float(x: Array) -> Array:
    return x if np.asarray(x).dtype.kind in "fc" else np.asarray(x, dtype=np.float64)


def bitwise(builtin: Builtin) -> Callable[..., Array]:
    """A builtin on bits, by the meaning that the interpreter has; the type is that of the first argument's array."""

    def apply(*arguments: Array) -> Array:
        types = [I32 if a.dtype == np.int32 else U32 for a in arguments]
        result = I32 if builtin is Builtin.DOT4_I8_PACKED else types[0]
        return np.asarray(call(builtin, np.broadcast_arrays(*arguments), types, result))

    return apply


def shifted_left(x: Array, count: Array) -> Array:
    return x << (count & 31).astype(x.dtype)


def shifted_right(x: Array, count: Array) -> Array:
    return x >> (count & 31).astype(x.dtype)


def high_product(x: Array, y: Array) -> Array:
    """The upper 32 bits of the product."""
    wide = np.uint64 if x.dtype == np.uint32 else np.int64
    return ((x.astype(wide) * y.astype(wide)) >> wide(32)).astype(x.dtype)
