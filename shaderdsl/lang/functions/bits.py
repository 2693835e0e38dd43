"""Bits of i32 and u32, componentwise on vectors; all exact: `sd.count_one_bits(x)`, `sd.extract_bits(x, 8, 4)`."""

from __future__ import annotations

from shaderdsl.ir.builtins import Builtin
from shaderdsl.lang.functions.kinds import I, beside
from shaderdsl.lang.operate import call
from shaderdsl.lang.scalars import u32


def count_leading_zeros(x: I) -> I:
    """How many zeros stand above the highest one; 32 for 0."""
    return call(Builtin.COUNT_LEADING_ZEROS, x)


def count_one_bits(x: I) -> I:
    """How many bits are one."""
    return call(Builtin.COUNT_ONE_BITS, x)


def count_trailing_zeros(x: I) -> I:
    """How many zeros stand below the lowest one; 32 for 0."""
    return call(Builtin.COUNT_TRAILING_ZEROS, x)


def first_leading_bit(x: I) -> I:
    """The position of the highest bit that differs from the sign (u32: that is one); all ones where there is none."""
    return call(Builtin.FIRST_LEADING_BIT, x)


def first_trailing_bit(x: I) -> I:
    """The position of the lowest one; all ones where there is none."""
    return call(Builtin.FIRST_TRAILING_BIT, x)


def reverse_bits(x: I) -> I:
    """Bit k at position 31 - k."""
    return call(Builtin.REVERSE_BITS, x)


def extract_bits(x: I, offset: u32 | int, count: u32 | int) -> I:
    """`count` bits from position `offset`, sign-extended for i32; offset + count is at most 32."""
    return call(Builtin.EXTRACT_BITS, x, offset, count)


def insert_bits(x: I | int, new: I | int, offset: u32 | int, count: u32 | int) -> I:
    """x with its `count` bits from position `offset` replaced by the low bits of `new`; offset + count is at most 32."""
    return call(Builtin.INSERT_BITS, beside(x, new), beside(new, x), offset, count)
