"""Integer arithmetic that numpy does otherwise: truncating division, shifts modulo the width.

divide(np.int32([-7, 5]), np.int32([2, 0])) is [-3, 5]
"""

from __future__ import annotations

import numpy as np

from shaderdsl.numeric.values import Array


def divide(left: Array, right: Array) -> Array:
    """Truncating quotient; x / 0 = x and MIN / -1 = MIN."""
    divisor = np.where(right == 0, right.dtype.type(1), right)
    # Exact in float64: the quotient of two 32-bit integers is either an integer or further from one than a rounding error.
    quotient = np.divide(left, divisor, dtype=np.float64)
    return quotient.astype(np.int64).astype(left.dtype)


def remainder(left: Array, right: Array) -> Array:
    """What `divide` leaves, with the sign of the left; x % 0 = 0 and MIN % -1 = 0."""
    divisor = np.where(right == 0, right.dtype.type(1), right)
    return np.subtract(left, np.multiply(divide(left, divisor), divisor))


def shift_left(left: Array, right: Array) -> Array:
    """Shift by the amount modulo 32."""
    return np.left_shift(left, amount(left, right))


def shift_right(left: Array, right: Array) -> Array:
    """Shift by the amount modulo 32; i32 keeps its sign."""
    return np.right_shift(left, amount(left, right))


def amount(left: Array, right: Array) -> Array:
    """The shift in the left operand's dtype: numpy would widen a mix of i32 and u32 to 64 bits."""
    return np.bitwise_and(right, np.uint32(31)).astype(left.dtype)
