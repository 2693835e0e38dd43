"""Exponentials, logarithms, powers and roots: evaluated in float64, rounded once.

POWERS[Builtin.POW](np.float32([2, -2]), np.float32([3, 2])) is [8, nan]: a negative base has no logarithm
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.trig import once
from shaderdsl.numeric.values import Array, Wide, widen


def power(base: Array, exponent: Array) -> Array:
    """base ** exponent; NaN for a negative base, as exp2(y * log2(x)) has it, and pow(0, 0) = 1."""
    wide = widen(base)
    result = np.power(np.where(wide < 0, np.nan, wide), widen(exponent))
    # numpy has nan ** 0 = 1, which would hide the negative base.
    return np.where(wide < 0, np.nan, result).astype(base.dtype)


def inverse_root(x: Wide) -> Wide:
    return np.asarray(1.0 / np.sqrt(x))


POWERS: dict[Builtin, Callable[..., Array]] = {
    Builtin.EXP: once(np.exp),
    Builtin.EXP2: once(np.exp2),
    Builtin.INVERSE_SQRT: once(inverse_root),
    Builtin.LOG: once(np.log),
    Builtin.LOG2: once(np.log2),
    Builtin.POW: power,
    Builtin.SQRT: np.sqrt,
}
