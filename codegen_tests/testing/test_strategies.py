"""The strategies draw what they say, and `check_literal` finds formatters that are wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from numpy.typing import NDArray

from codegen_tests.wgsl.literal_patterns import seven_digits, shortest_half, shortest_single
from shaderdsl.errors import ConstantError, KernelTypeError
from shaderdsl.ir.types import BOOL, F16, I32, U32
from shaderdsl.runtime.validate import naga_refusal, tint_refusal
from shaderdsl.testing import strategies
from shaderdsl.testing.literals import check_literal
from shaderdsl.wgsl.literals import format_f16, format_f32
from shaderdsl.wgsl.read_literal import parse_float, read_literal
from shaderdsl.wgsl.rounding import HALF, SINGLE, bits_from_float, nearest

THOROUGH = settings(max_examples=1_000, deadline=None)
TYPES = ["bool", "i32", "u32", "f32", "f16", "abstract-int", "abstract-float"]


@THOROUGH
@given(strategies.f32_values())
def test_singles(value: float) -> None:
    text = check_literal(value)
    assert text == format_f32(value)
    assert parse_float(text[:-1]) == pytest.approx(value, rel=2e-7, abs=2e-45)


@THOROUGH
@given(strategies.f16_values())
def test_halves(value: float) -> None:
    assert check_literal(value, F16) == format_f16(value)


@THOROUGH
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_double_is_rounded_or_refused(value: float) -> None:
    """No float reaches a literal in two roundings, and none overflows in silence."""
    if bits_from_float(value, SINGLE) is None:
        with pytest.raises(ConstantError):
            format_f32(value)
    else:
        check_literal(value)


@THOROUGH
@given(st.integers(-(2**130), 2**130))
def test_any_int_is_rounded_once(value: int) -> None:
    bits = nearest(read_literal(f"{value}.").exact, SINGLE)
    if bits is not None:
        assert read_literal(format_f32(value)).bits == bits


@THOROUGH
@given(strategies.f32_bits(finite=False))
def test_every_pattern_has_an_explicit_form(bits: int) -> None:
    value = strategies.float_from_bits(bits, SINGLE)
    literal = read_literal(format_f32(value, zero="params.zero"))
    assert literal.bits == bits_from_float(value, SINGLE)


@pytest.mark.parametrize(
    ("value", "type"), [(-5, I32), (-(2**31), I32), (2**32 - 1, U32), (True, BOOL), (-0.0, "f32"), (0.1, "f16")]
)
def test_check_literal_takes_every_scalar(value: float, type: Any) -> None:
    assert read_literal(check_literal(value, type)).type == str(type)


def test_check_literal_finds_seven_digits() -> None:
    found = find(strategies.f32_values(), lambda value: refused(value, seven_digits))
    with pytest.raises(AssertionError, match="exact arithmetic reads"):
        check_literal(found, format=seven_digits)


def test_check_literal_finds_what_tint_misreads() -> None:
    with pytest.raises(AssertionError, match=r"7.038531e-26f for .*: Python reads 0x15ae43fe instead of 0x15ae43fd"):
        check_literal(7.038530691851209e-26, format=shortest_single)
    with pytest.raises(AssertionError, match=r"3.4028235e\+38f for .*: Tint reads nothing instead of 0x7f7fffff"):
        check_literal(3.4028234663852886e38, format=shortest_single)
    found = find(strategies.f16_values(), lambda value: refused(value, shortest_half, "f16"))
    with pytest.raises(AssertionError, match="Tint reads"):
        check_literal(found, "f16", format=shortest_half)


def test_check_literal_finds_a_wrong_type_and_a_lost_sign() -> None:
    with pytest.raises(AssertionError, match=r"1.0h is a literal of type f16, not f32"):
        check_literal(1.0, format=format_f16)
    with pytest.raises(AssertionError, match="reads 0x00000000 instead of 0x80000000"):
        check_literal(-0.0, format=lambda value: format_f32(abs(value)))


def test_check_literal_passes_on_what_has_no_literal() -> None:
    with pytest.raises(ConstantError, match="inf has no literal"):
        check_literal(math.inf)
    with pytest.raises(KernelTypeError, match="'f64' is not a scalar type"):
        check_literal(1.0, "f64")


def refused(value: float, form: Any, type: str = "f32") -> bool:
    try:
        check_literal(value, type, format=form)
    except AssertionError:
        return True
    return False


CORNERS: dict[str, Callable[[int], bool]] = {
    "minus zero": lambda bits: bits == SINGLE.sign,
    "largest": lambda bits: bits == SINGLE.largest,
    "subnormal": lambda bits: 0 < bits < 1 << 23,
    "infinity": lambda bits: bits == SINGLE.infinity,
    "nan": lambda bits: bits & 0x7FFFFFFF > SINGLE.infinity,
}


@pytest.mark.parametrize("name", CORNERS)
def test_patterns_reach_the_corners(name: str) -> None:
    finite = name not in ("infinity", "nan")
    wanted = CORNERS[name]
    assert wanted(find(strategies.f32_bits(finite=finite), wanted, settings=settings(max_examples=20_000)))


def test_finite_patterns_are_finite() -> None:
    with pytest.raises(NoSuchExample):
        find(strategies.f16_bits(), lambda bits: bits & 0x7FFF >= HALF.infinity, settings=settings(max_examples=2_000))


@pytest.mark.parametrize("type", TYPES)
def test_literal_texts_are_of_their_type(type: str) -> None:
    @settings(max_examples=300, deadline=None)
    @given(strategies.literal_texts(type))
    def check(text: str) -> None:
        assert read_literal(text).type == type

    check()


@settings(max_examples=20, deadline=None)
@given(st.lists(strategies.literal_texts(), min_size=50, max_size=50))
def test_literal_texts_are_accepted_by_both_compilers(texts: list[str]) -> None:
    module = "enable f16;\nfn f() {\n" + "".join(f"    _ = {text};\n" for text in texts) + "}\n"
    assert naga_refusal(module) is None
    assert tint_refusal(module) is None


@settings(max_examples=300, deadline=None)
@given(strategies.shapes(max_size=5_000))
def test_shapes(shape: tuple[int, ...]) -> None:
    assert 1 <= len(shape) <= 3
    assert min(shape) >= 1
    assert math.prod(shape) <= 5_000


def test_shapes_reach_workgroup_borders_and_nothing() -> None:
    assert find(strategies.shapes(dimensions=2), lambda shape: shape[1] == 257)[1] == 257
    assert find(strategies.shapes(dimensions=1, min_side=0), lambda shape: shape == (0,)) == (0,)


@settings(max_examples=50, deadline=None)
@given(
    strategies.arrays("float32", (3, 5)),
    strategies.arrays(np.float16, (4,), finite=False),
    strategies.arrays("int32", (2, 2)),
)
def test_arrays(single: NDArray[np.float32], half: NDArray[np.float16], whole: NDArray[np.int32]) -> None:
    assert (single.dtype, single.shape) == (np.float32, (3, 5))
    assert np.isfinite(single).all()
    assert (half.dtype, half.shape) == (np.float16, (4,))
    assert (whole.dtype, whole.shape) == (np.int32, (2, 2))


def test_arrays_hold_nan_only_when_asked() -> None:
    found = find(strategies.arrays("float16", (4,), finite=False), lambda drawn: bool(np.isnan(drawn).any()))
    assert np.isnan(found).any()
