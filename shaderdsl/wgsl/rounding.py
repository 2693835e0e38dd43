"""IEEE 754 formats in exact arithmetic: a rational number to the nearest bits, and bits back to the number.

nearest(Fraction(1, 10), SINGLE) == 0x3DCCCCCD
exact_value(0x3DCCCCCD, SINGLE) == Fraction(13421773, 134217728)

Nothing here goes through a float, so nothing can round twice.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary format: `precision` bits of significand (the hidden one counted), values k * 2**quantum below 2**limit."""

    name: str
    width: int
    precision: int
    quantum: int
    limit: int
    pattern: str
    """The letter of `struct` for it."""

    @property
    def infinity(self) -> int:
        """The bits of +inf; every finite magnitude is below."""
        return (self.limit - self.quantum - self.precision + 2) << (self.precision - 1)

    @property
    def sign(self) -> int:
        return 1 << (self.width - 1)

    @property
    def largest(self) -> int:
        """The bits of the largest finite value."""
        return self.infinity - 1


HALF = FloatFormat("f16", 16, 11, -24, 16, "e")
SINGLE = FloatFormat("f32", 32, 24, -149, 128, "f")
DOUBLE = FloatFormat("abstract-float", 64, 53, -1074, 1024, "d")

INTEGER_OF_WIDTH = {16: "H", 32: "I", 64: "Q"}


def nearest(value: Fraction, format: FloatFormat) -> int | None:
    """The bits nearest to `value`, ties to even, sign included (zero is +0); None where that is an infinity."""
    if value < 0:
        magnitude = nearest(-value, format)
        return None if magnitude is None else magnitude | format.sign
    if value == 0:
        return 0
    step = max(floor_log2(value) - format.precision + 1, format.quantum)
    significand = round(value / power_of_two(step))
    bits = ((step - format.quantum) << (format.precision - 1)) + significand
    return bits if bits < format.infinity else None


def exact_value(bits: int, format: FloatFormat) -> Fraction:
    """The number that finite `bits` stand for."""
    magnitude = bits & ~format.sign
    field = magnitude >> (format.precision - 1)
    fraction = magnitude & ((1 << (format.precision - 1)) - 1)
    significand = fraction if field == 0 else fraction | 1 << (format.precision - 1)
    value = significand * power_of_two(format.quantum + max(field - 1, 0))
    return -value if bits & format.sign else value


def float_from_bits(bits: int, format: FloatFormat) -> float:
    """The Python float with these bits; every format here fits into a double."""
    packed = struct.pack(f"<{INTEGER_OF_WIDTH[format.width]}", bits)
    value: float = struct.unpack(f"<{format.pattern}", packed)[0]
    return value


def bits_from_float(value: float, format: FloatFormat) -> int | None:
    """The bits nearest to a double, ties to even, -0.0, inf and NaN kept; None where a finite value overflows."""
    try:
        packed = struct.pack(f"<{format.pattern}", value)
    except OverflowError:
        return None
    bits: int = struct.unpack(f"<{INTEGER_OF_WIDTH[format.width]}", packed)[0]
    return bits


def floor_log2(value: Fraction) -> int:
    """The largest e with 2**e <= value, for a positive value."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if power_of_two(guess) <= value else guess - 1


def power_of_two(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)
