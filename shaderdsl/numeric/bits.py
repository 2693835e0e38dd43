"""Counting, finding, moving and reversing bits, for all lanes at once.

BITS[Builtin.COUNT_LEADING_ZEROS](np.uint32([1, 0])) is [31, 32]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.values import Array

Bits = npt.NDArray[np.uint32]

SWAPS = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF), (16, 0x0000FFFF))


def pattern(x: Array) -> Bits:
    """The bits of an i32 or u32."""
    return np.asarray(x).view(np.uint32) if x.dtype == np.int32 else x


def like(result: npt.NDArray[Any], x: Array) -> Array:
    """A small count as the operand's type."""
    return np.asarray(result).astype(x.dtype)


def length(x: Bits) -> npt.NDArray[np.int32]:
    """The number of bits up to the highest one set: 0 for 0. Exact, since float64 holds every u32."""
    return np.asarray(np.frexp(x.astype(np.float64))[1])


def lowest(x: Bits) -> Bits:
    """Only the lowest bit that is set."""
    return np.bitwise_and(x, np.negative(x))


def count_ones(x: Array) -> Array:
    return like(np.bitwise_count(pattern(x)), x)


def count_leading_zeros(x: Array) -> Array:
    """Zeros above the highest one; 32 for 0."""
    return like(32 - length(pattern(x)), x)


def count_trailing_zeros(x: Array) -> Array:
    """Zeros below the lowest one; 32 for 0."""
    bits = pattern(x)
    return like(np.where(bits == 0, 32, length(lowest(bits)) - 1), x)


def first_leading_bit(x: Array) -> Array:
    """Position of the highest one (of a negative i32: the highest zero); all ones where there is none."""
    bits = pattern(np.where(x < 0, np.invert(x), x)) if x.dtype == np.int32 else x
    return like(length(bits) - 1, x)


def first_trailing_bit(x: Array) -> Array:
    """Position of the lowest one; all ones for 0."""
    return like(length(lowest(pattern(x))) - 1, x)


def reverse(x: Array) -> Array:
    """Bit k becomes bit 31 - k: swap neighbours, then pairs, and so on."""
    bits = pattern(x)
    for distance, mask in SWAPS:
        shift, keep = np.uint32(distance), np.uint32(mask)
        bits = np.bitwise_or((bits >> shift) & keep, (bits & keep) << shift)
    return np.asarray(bits).view(x.dtype)


def field(offset: Array, count: Array) -> tuple[Bits, Bits]:
    """Offset and count cut to the word: offset at most 32, and the field ends at bit 32."""
    start = np.minimum(offset, np.uint32(32))
    return start, np.minimum(count, np.uint32(32) - start)


def ones(count: Bits) -> Bits:
    """The lowest `count` bits set, for counts of 0 to 32 (numpy's own shift by 32 is not defined for 32 bits)."""
    return ((np.uint64(1) << count.astype(np.uint64)) - np.uint64(1)).astype(np.uint32)


def extract(x: Array, offset: Array, count: Array) -> Array:
    """`count` bits from `offset` on, sign-extended for i32; 0 for an empty field."""
    start, size = field(offset, count)
    unsigned = (pattern(x).astype(np.uint64) >> start.astype(np.uint64)).astype(np.uint32) & ones(size)
    if x.dtype == np.uint32:
        return np.asarray(unsigned)
    sign = ((np.uint64(1) << size.astype(np.uint64)) >> np.uint64(1)).astype(np.uint32)
    return np.asarray((unsigned ^ sign) - sign).view(np.int32)


def insert(x: Array, new: Array, offset: Array, count: Array) -> Array:
    """x with `count` bits from `offset` on replaced by the low bits of `new`."""
    start, size = field(offset, count)
    wide = start.astype(np.uint64)
    mask = (ones(size).astype(np.uint64) << wide).astype(np.uint32)
    moved = (pattern(new).astype(np.uint64) << wide).astype(np.uint32)
    return np.asarray((pattern(x) & ~mask) | (moved & mask)).view(x.dtype)


BITS: dict[Builtin, Callable[..., Array]] = {
    Builtin.COUNT_LEADING_ZEROS: count_leading_zeros,
    Builtin.COUNT_ONE_BITS: count_ones,
    Builtin.COUNT_TRAILING_ZEROS: count_trailing_zeros,
    Builtin.EXTRACT_BITS: extract,
    Builtin.FIRST_LEADING_BIT: first_leading_bit,
    Builtin.FIRST_TRAILING_BIT: first_trailing_bit,
    Builtin.INSERT_BITS: insert,
    Builtin.REVERSE_BITS: reverse,
}
