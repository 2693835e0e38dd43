"""Numbers as WGSL literals that arrive bit for bit in naga, in Tint and in Python.

format_f32(0.1) == "0.1f"
format_f16(0.1) == "0.09998h"
format_i32(-2147483648) == "i32(-2147483648)"

The digits are the fewest that all three read alike. For f32 these are the shortest that round to the value, but for two values:
Tint reads a decimal as a double first, so that one arrives an ulp off, and it refuses the shortest form of the largest because
that lies above it. For f16 Tint cuts off where the others round: the decimal is taken from [value, value + ulp/2).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import assert_never

import numpy as np

from shaderdsl.errors import ConstantError, KernelTypeError
from shaderdsl.ir.types import Scalar, ScalarKind
from shaderdsl.wgsl.rounding import HALF, SINGLE, FloatFormat, bits_from_float, float_from_bits, nearest

I32_LOWEST = -(2**31)
I32_HIGHEST = 2**31 - 1
U32_HIGHEST = 2**32 - 1

POSITIONAL = range(-5, 16)
"""The decimal exponents that are written out: 0.00001 to 1000000000000000.0."""

SINGLE_EXCEPTIONS = {0x15AE43FD: ("70385307", -26), 0x7F7FFFFF: ("34028234", 38)}
"""The two magnitudes whose shortest digits Tint does not read, with digits that it does."""


def format_scalar(value: float, type: Scalar, *, zero: str | None = None) -> str:
    """The literal of any scalar type: `format_scalar(5, U32) == "5u"`, `format_scalar(True, BOOL) == "true"`."""
    match type.kind:
        case ScalarKind.BOOL:
            return format_bool(value)
        case ScalarKind.I32:
            return format_i32(value)
        case ScalarKind.U32:
            return format_u32(value)
        case ScalarKind.F32:
            return format_f32(value, zero=zero)
        case ScalarKind.F16:
            return format_f16(value, zero=zero)
        case _:
            assert_never(type.kind)


def format_bool(value: object) -> str:
    """`true` or `false`; numbers are refused."""
    if not isinstance(value, bool | np.bool_):
        raise KernelTypeError(
            f"a literal of type bool needs True or False, not {value!r}", hints=["compare the number: x != 0"]
        )
    return "true" if value else "false"


def format_i32(value: float) -> str:
    """`-5i`, for whole numbers only; the lowest is `i32(-2147483648)`, since `-2147483648i` negates a literal that is out of range."""
    number = integer(value, "i32", I32_LOWEST, I32_HIGHEST)
    return f"i32({number})" if number == I32_LOWEST else f"{number}i"


def format_u32(value: float) -> str:
    """`5u`."""
    return f"{integer(value, 'u32', 0, U32_HIGHEST)}u"


def format_f32(value: float, *, zero: str | None = None) -> str:
    """`0.1f`: the fewest digits with the bits of `value` rounded to f32, ties to even; raises ConstantError on overflow, inf, NaN.

    zero: the text of a u32 expression that is 0 at run time and that no compiler can fold, a uniform's field for example. With it
    -0.0, inf and NaN become `bitcast<f32>(0x7f800000u | params.zero)`, exact on every device. Without it -0.0 becomes `-0.0f`,
    whose sign Tint does not keep.
    """
    bits = rounded(value, SINGLE)
    magnitude = bits & ~SINGLE.sign
    if magnitude >= SINGLE.infinity or (zero is not None and bits == SINGLE.sign):
        return explicit(bits, SINGLE, zero)
    digits, exponent = SINGLE_EXCEPTIONS.get(magnitude) or single_digits(magnitude)
    return signed(bits, SINGLE) + spelled(digits, exponent) + "f"


def format_f16(value: float, *, zero: str | None = None) -> str:
    """`0.09998h`: as `format_f32`, for f16; the explicit form is `f16(unpack2x16float(0x7c00u | params.zero).x)`."""
    bits = rounded(value, HALF)
    magnitude = bits & ~HALF.sign
    if magnitude >= HALF.infinity or (zero is not None and bits == HALF.sign):
        return explicit(bits, HALF, zero)
    digits, exponent = half_digits(magnitude)
    return signed(bits, HALF) + spelled(digits, exponent) + "h"


def rounded(value: float, format: FloatFormat) -> int:
    """The bits of the nearest value of `format`, straight from the number that was given, in one rounding."""
    if isinstance(value, bool | np.bool_ | str | bytes) or not hasattr(value, "__float__"):
        raise KernelTypeError(
            f"a literal of type {format.name} needs a number, not {value!r}", hints=[f"write {format.name}(1.0)"]
        )
    # An int beyond 2**53 would be rounded once to a double and once more to f32.
    if isinstance(value, int | np.integer):
        bits = nearest(Fraction(int(value)), format)
    else:
        bits = bits_from_float(float(value), format)
    if bits is None:
        largest = float_from_bits(format.largest, format)
        raise ConstantError(
            f"{shown(value)} is out of the range of {format.name}, whose largest value is {largest!r}",
            hints=explicit_hints(format),
        )
    return bits


def explicit(bits: int, format: FloatFormat, zero: str | None) -> str:
    """The run-time form of a value that no constant expression may hold."""
    if zero is None:
        name = str(float_from_bits(bits, format))
        raise ConstantError(f"{name} has no literal in WGSL and may not be a constant", hints=explicit_hints(format))
    if format is HALF:
        # naga has no bitcast between a word and two halves.
        return f"f16(unpack2x16float(0x{bits:04x}u | {zero}).x)"
    return f"bitcast<f32>(0x{bits:08x}u | {zero})"


def explicit_hints(format: FloatFormat) -> list[str]:
    name = format.name
    return [f"write sd.inf({name}), sd.nan({name}) or sd.float_bits(bits, {name}), which are made at run time"]


def signed(bits: int, format: FloatFormat) -> str:
    return "-" if bits & format.sign else ""


def spelled(digits: str, exponent: int) -> str:
    """`digits` with the point after the first and times 10**exponent: "15", 20 is `1.5e20`, "1", 3 is `1000.0`."""
    if exponent not in POSITIONAL:
        point = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{digits[0]}{point}e{exponent}"
    if exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    whole_part = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{whole_part}.{digits[exponent + 1 :] or '0'}"


def single_digits(magnitude: int) -> tuple[str, int]:
    """The shortest digits that round to an f32 (Dragon4, exact), and the decimal exponent of the first."""
    value = np.float32(float_from_bits(magnitude, SINGLE))
    digits, exponent = np.format_float_scientific(value, trim="-").split("e")
    return digits.replace(".", ""), int(exponent)


def half_digits(magnitude: int) -> tuple[str, int]:
    """The shortest decimal in [value, value + ulp/2): truncation and rounding then agree. 65504 keeps all its digits."""
    if magnitude in (0, HALF.largest):
        return ("0", 0) if magnitude == 0 else ("65504", 4)
    value = float_from_bits(magnitude, HALF)
    units = int(value * 2**24)  # value = units / 2**24, exactly
    ulp = 1 << max(units.bit_length() - HALF.precision, 0)
    power = math.floor(math.log10(value)) + 1
    while True:
        # The smallest multiple of 10**power that is not below the value, compared in whole numbers.
        scale, unscale = 10 ** max(power, 0), 10 ** max(-power, 0)
        number = -(-units * unscale // (scale << 24))
        if number * scale << 25 < (2 * units + ulp) * unscale:
            digits = str(number)
            return digits.rstrip("0"), power + len(digits) - 1
        power -= 1


def integer(value: float, name: str, lowest: int, highest: int) -> int:
    """`value` as an int in range; bools, floats and what lies outside are refused."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise KernelTypeError(
            f"a literal of type {name} needs a whole number, not {value!r}", hints=[f"write {name}(...) around it"]
        )
    number = int(value)
    if not lowest <= number <= highest:
        raise ConstantError(
            f"{shown(number)} is out of the range of {name}, which is {lowest} to {highest}",
            hints=[f"write a number that {name} holds"],
        )
    return number


def shown(value: float) -> str:
    """A number for a message; Python refuses to print an int of more than 4,300 digits."""
    if isinstance(value, int) and value.bit_length() > 1024:
        return f"an int of {value.bit_length()} bits"
    return repr(value)
