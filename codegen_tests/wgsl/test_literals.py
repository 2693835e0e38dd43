"""How numbers are spelled, and what is refused, each with its exact message."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

from shaderdsl.errors import ConstantError, KernelTypeError, ShaderError
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Scalar
from shaderdsl.wgsl.literals import format_f16, format_f32, format_i32, format_scalar, format_u32
from shaderdsl.wgsl.read_literal import read_literal
from shaderdsl.wgsl.rounding import HALF, SINGLE, FloatFormat, bits_from_float, exact_value, float_from_bits, nearest

HINT_F32 = "write sd.inf(f32), sd.nan(f32) or sd.float_bits(bits, f32), which are made at run time"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0f"),
        (1, "1.0f"),
        (1000, "1000.0f"),
        (0.01, "0.01f"),
        (0.1, "0.1f"),
        (-1.5, "-1.5f"),
        (1e-5, "0.00001f"),
        (9.9e-6, "9.9e-6f"),
        (1e-7, "1e-7f"),
        (1e15, "1000000000000000.0f"),
        (1e16, "1e16f"),
        (1.5e20, "1.5e20f"),
        (16777216, "16777216.0f"),
        (2.0**-149, "1e-45f"),
        (2.0**-126, "1.1754944e-38f"),
        (3.4028234663852886e38, "3.4028234e38f"),
        (-3.4028234663852886e38, "-3.4028234e38f"),
        (7.038530691851209e-26, "7.0385307e-26f"),
        (math.pi, "3.1415927f"),
        (-0.0, "-0.0f"),
        (np.float32(0.1), "0.1f"),
        (np.float64(0.1), "0.1f"),
    ],
)
def test_f32(value: float, text: str) -> None:
    assert format_f32(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0h"),
        (1.0, "1.0h"),
        (0.1, "0.1h"),
        (-3.14, "-3.141h"),
        (65504, "65504.0h"),
        (2.0**-24, "6e-8h"),
        (2.0**-14, "0.00006104h"),
        (2048, "2048.0h"),
        (-0.0, "-0.0h"),
    ],
)
def test_f16(value: float, text: str) -> None:
    assert format_f16(value) == text


def test_a_number_between_two_is_rounded_once() -> None:
    """2**60 + 2**36 + 1 lies above the middle of two f32; the nearest double lies on it and would round down."""
    assert read_literal(format_f32(2**60 + 2**36 + 1)).value == 2.0**60 + 2.0**37
    of_numpy: Any = np.int64(2**60 + 2**36 + 1)
    assert format_f32(of_numpy) == "1.1529216e18f"
    assert format_f32(16777217) == "16777216.0f"
    assert format_f32(3.4028235e38) == "3.4028234e38f"


@pytest.mark.parametrize(
    ("value", "type", "text"),
    [
        (True, BOOL, "true"),
        (False, BOOL, "false"),
        (-5, I32, "-5i"),
        (-(2**31), I32, "i32(-2147483648)"),
        (2**31 - 1, I32, "2147483647i"),
        (np.int32(7), I32, "7i"),
        (5, U32, "5u"),
        (2**32 - 1, U32, "4294967295u"),
        (0.5, F32, "0.5f"),
        (2, F32, "2.0f"),
        (0.5, F16, "0.5h"),
    ],
)
def test_scalars(value: float, type: Scalar, text: str) -> None:
    assert format_scalar(value, type) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.0, "bitcast<f32>(0x80000000u | params.zero)"),
        (math.inf, "bitcast<f32>(0x7f800000u | params.zero)"),
        (-math.inf, "bitcast<f32>(0xff800000u | params.zero)"),
        (math.nan, "bitcast<f32>(0x7fc00000u | params.zero)"),
        (0.0, "0.0f"),
        (1.5, "1.5f"),
    ],
)
def test_explicit_f32(value: float, text: str) -> None:
    assert format_f32(value, zero="params.zero") == text
    assert format_scalar(value, F32, zero="params.zero") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.0, "f16(unpack2x16float(0x8000u | params.zero).x)"),
        (-math.inf, "f16(unpack2x16float(0xfc00u | params.zero).x)"),
        (math.nan, "f16(unpack2x16float(0x7e00u | params.zero).x)"),
        (0.0, "0.0h"),
    ],
)
def test_explicit_f16(value: float, text: str) -> None:
    assert format_f16(value, zero="params.zero") == text
    assert format_scalar(value, F16, zero="params.zero") == text


REFUSED: list[tuple[Callable[[], str], type[ShaderError], str, str]] = [
    (lambda: format_f32(math.inf), ConstantError, "inf has no literal in WGSL and may not be a constant", HINT_F32),
    (lambda: format_f32(-math.inf), ConstantError, "-inf has no literal in WGSL and may not be a constant", HINT_F32),
    (lambda: format_f32(math.nan), ConstantError, "nan has no literal in WGSL and may not be a constant", HINT_F32),
    (lambda: format_f16(math.nan), ConstantError, "nan has no literal in WGSL and may not be a constant", HINT_F32.replace("f32", "f16")),
    (lambda: format_f32(1e39), ConstantError, "1e+39 is out of the range of f32, whose largest value is 3.4028234663852886e+38", HINT_F32),
    (lambda: format_f32(10**5000), ConstantError, "an int of 16610 bits is out of the range of f32, whose largest value is 3.4028234663852886e+38", HINT_F32),
    (lambda: format_f16(-65520.0), ConstantError, "-65520.0 is out of the range of f16, whose largest value is 65504.0", HINT_F32.replace("f32", "f16")),
    (lambda: format_f32(cast(Any, None)), KernelTypeError, "a literal of type f32 needs a number, not None", "write f32(1.0)"),
    (lambda: format_f16(cast(Any, 2j)), KernelTypeError, "a literal of type f16 needs a number, not 2j", "write f16(1.0)"),
    (lambda: format_f32(True), KernelTypeError, "a literal of type f32 needs a number, not True", "write f32(1.0)"),
    (lambda: format_i32(2**31), ConstantError, "2147483648 is out of the range of i32, which is -2147483648 to 2147483647", "write a number that i32 holds"),
    (lambda: format_u32(-1), ConstantError, "-1 is out of the range of u32, which is 0 to 4294967295", "write a number that u32 holds"),
    (lambda: format_i32(1.5), KernelTypeError, "a literal of type i32 needs a whole number, not 1.5", "write i32(...) around it"),
    (lambda: format_u32(True), KernelTypeError, "a literal of type u32 needs a whole number, not True", "write u32(...) around it"),
    (lambda: format_scalar(1, BOOL), KernelTypeError, "a literal of type bool needs True or False, not 1", "compare the number: x != 0"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message", "hint"), REFUSED)
def test_refused(call: Callable[[], str], error: type[ShaderError], message: str, hint: str) -> None:
    with pytest.raises(ShaderError) as caught:
        call()
    assert type(caught.value) is error
    assert caught.value.message == message
    assert caught.value.hints == (hint,)


@pytest.mark.parametrize(("format", "form"), [(SINGLE, format_f32), (HALF, format_f16)])
def test_powers_of_ten_and_two_and_their_neighbours(format: FloatFormat, form: Callable[[float], str]) -> None:
    tens = [bits_from_float(10.0**power, format) for power in range(-45, 39)]
    twos = [bits_from_float(2.0**power, format) for power in range(format.quantum, format.limit)]
    centres = [bits for bits in tens + twos if bits is not None]
    assert len(centres) > 80
    for bits in {bits + step for bits in centres for step in (-1, 0, 1)} - {-1, format.infinity}:
        for sign in (0, format.sign):
            assert read_literal(form(float_from_bits(bits | sign, format))).bits == bits | sign


@pytest.mark.parametrize("power", range(-45, 39))
def test_a_power_of_ten_has_one_digit(power: int) -> None:
    assert format_f32(10.0**power).rstrip("f").replace(".", "").partition("e")[0].strip("0") == "1"


@pytest.mark.parametrize("format", [SINGLE, HALF])
def test_exact_values_round_to_themselves(format: FloatFormat) -> None:
    patterns = {
        0,
        1,
        format.largest,
        format.infinity >> 1,
        1 << (format.precision - 1),
        (1 << (format.precision - 1)) - 1,
    }
    for bits in patterns:
        assert (
            nearest(exact_value(bits, format), format) == bits == bits_from_float(float_from_bits(bits, format), format)
        )
    beyond = exact_value(format.largest, format) * 2
    assert nearest(beyond, format) is None
