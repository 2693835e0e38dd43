"""A check for property tests: does a number survive its way through a literal?

check_literal(0.1) == "0.1f"
check_literal(0.1, "f16") == "0.09998h"
check_literal(x, format=mine)      # an AssertionError if `mine` writes text that anybody reads as another number
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from shaderdsl.errors import KernelTypeError
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Scalar
from shaderdsl.wgsl.literals import format_scalar, rounded
from shaderdsl.wgsl.read_literal import Literal, read_literal
from shaderdsl.wgsl.rounding import HALF, SINGLE, FloatFormat, bits_from_float, exact_value

SCALARS: dict[str, Scalar] = {str(scalar): scalar for scalar in (BOOL, I32, U32, F32, F16)}
FORMATS: dict[Scalar, FloatFormat] = {F32: SINGLE, F16: HALF}


def check_literal(value: float, type: str | Scalar = "f32", *, format: Callable[[float], str] | None = None) -> str:
    """The literal of `value`, once exact arithmetic, Python and Tint's way of reading all give the bits of `value` rounded to `type`.

    type: "f32", "f16", "i32", "u32", "bool", or a scalar type. format: a formatter of your own to check instead of ours.
    Raises AssertionError where a reading differs; what has no literal (inf, NaN, overflow) is the formatter's ConstantError.
    The sign of zero is compared in the text only, since Tint drops it.
    """
    scalar = scalar_named(str(type))
    text = format(value) if format else format_scalar(value, scalar)
    literal = read_literal(text)
    expected = expected_bits(value, scalar)
    if literal.type != str(scalar):
        raise AssertionError(f"{text} is a literal of type {literal.type}, not {scalar}")
    for reader, bits in readings(text, literal, scalar).items():
        if bits != expected:
            found = "nothing" if bits is None else f"{bits:#010x}"
            raise AssertionError(f"{text} for {value!r}: {reader} reads {found} instead of {expected:#010x}")
    return text


def scalar_named(name: str) -> Scalar:
    if name not in SCALARS:
        raise KernelTypeError(f"{name!r} is not a scalar type", hints=[f"choose one of {', '.join(SCALARS)}"])
    return SCALARS[name]


def expected_bits(value: float, scalar: Scalar) -> int:
    """The bits that `value` has once it is of the scalar type."""
    if scalar in FORMATS:
        return rounded(value, FORMATS[scalar])
    return int(value) & 0xFFFFFFFF


def readings(text: str, literal: Literal, scalar: Scalar) -> dict[str, int | None]:
    """The bits that each reader makes of a literal; None where it refuses it."""
    read: dict[str, int | None] = {"exact arithmetic": literal.bits}
    # Only decimals are read in more than one way; every other form has an 0x.
    if scalar not in FORMATS or "x" in text.lower():
        return read
    target, double = FORMATS[scalar], float(text[:-1])
    read["Python"] = bits_from_float(double, target)
    if literal.value != 0:
        read["Tint"] = tint_reading(double, target)
    return read


def tint_reading(double: float, format: FloatFormat) -> int | None:
    """Tint parses a decimal as a double, refuses what lies beyond the largest value, rounds that to f32, and cuts it off to f16."""
    if abs(Fraction(double)) > exact_value(format.largest, format):
        return None
    bits = bits_from_float(double, format)
    if bits is not None and format is HALF and abs(exact_value(bits, format)) > abs(Fraction(double)):
        return bits - 1
    return bits
