"""Literals through both compilers by constant evaluation, and through devices by execution: the bits that arrive are the value's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from codegen_tests.wgsl.executing import run_halves, run_singles, run_words
from codegen_tests.wgsl.literal_patterns import (
    SPECIAL,
    all_half_magnitudes,
    any_half,
    modules,
    naga_single,
    seven_digits,
    shortest_half,
    shortest_single,
    singles,
    tint_single,
)
from shaderdsl.runtime.device import Device
from shaderdsl.runtime.validate import naga_refusal, tint_refusal
from shaderdsl.wgsl.literals import format_f16, format_f32
from shaderdsl.wgsl.rounding import HALF, SINGLE, float_from_bits

SINGLES = 50_000
QUIET_HALF = 0x7E00
Record = Callable[[str, object], None]
Formatter = Callable[[float], str]


def refused_singles(patterns: list[int], form: Formatter) -> list[str]:
    """What the compilers say against the literals of f32 patterns."""
    tint = [tint_refusal(text) for text in modules(patterns, lambda bits: tint_single(bits, form))]
    naga = [naga_refusal(text) for text in modules(patterns, lambda bits: naga_single(bits, form))]
    return [message for message in tint + naga if message is not None]


def refused_halves(patterns: list[int], form: Formatter) -> list[str]:
    """What the compilers say against the literals of f16 patterns."""
    texts = list(modules(patterns, lambda bits: any_half(bits, form), "enable f16;\n"))
    messages = [refusal(text) for refusal in (tint_refusal, naga_refusal) for text in texts]
    return [message for message in messages if message is not None]


def test_singles_by_constant_evaluation(record_property: Record) -> None:
    """naga cannot tell -0.0f from 0.0f here, and Tint drops its sign: it is executed below."""
    patterns = singles(SINGLES, seed=1).tolist()
    assert len(set(patterns)) == SINGLES
    assert set(SPECIAL) <= set(patterns)
    assert {bits >> 23 & 255 for bits in patterns} == set(range(255))
    assert refused_singles(patterns, format_f32) == []
    record_property("conformance", f"f32 literals by constant evaluation, naga and Tint: {len(patterns)}")


def test_all_halves_by_constant_evaluation(record_property: Record) -> None:
    """-0.0h equals 0.0h here; its bits are executed below."""
    magnitudes = all_half_magnitudes()
    patterns = magnitudes + [bits | HALF.sign for bits in magnitudes]
    assert len(patterns) == 63_488
    assert refused_halves(patterns, format_f16) == []
    record_property("conformance", f"f16 literals by constant evaluation, naga and Tint: {len(patterns)}")


@pytest.mark.parametrize("bits", [bits | sign for bits in SPECIAL for sign in (0, SINGLE.sign)])
def test_a_shortest_form_of_the_two_special_values_is_found(bits: int) -> None:
    assert refused_singles([bits], shortest_single) != []
    assert refused_singles([bits], format_f32) == []


def test_seven_digits_are_found() -> None:
    assert len(refused_singles(singles(5_000, seed=2).tolist(), seven_digits)) == 2


def test_shortest_halves_are_found() -> None:
    """Tint cuts off, naga rounds: only Tint finds them."""
    assert len(refused_halves(all_half_magnitudes()[:5_000], shortest_half)) == 1


@pytest.mark.parametrize("name", ["wgpu_device", "dawn_device"])
def test_singles_by_execution(name: str, request: pytest.FixtureRequest, record_property: Record) -> None:
    device: Device = request.getfixturevalue(name)
    patterns = singles(SINGLES, seed=1)
    texts = [format_f32(float_from_bits(int(bits), SINGLE)) for bits in patterns]
    assert np.array_equal(run_singles(device, texts), patterns)
    record_property("conformance", f"f32 literals by execution on {device.backend.value}: {len(patterns)}")


def test_wrong_singles_are_found_by_execution(wgpu_device: Device, dawn_device: Device) -> None:
    patterns = singles(4_000, seed=3)[-1_000:]
    texts = [seven_digits(float_from_bits(int(bits), SINGLE)) for bits in patterns]
    assert not np.array_equal(run_singles(wgpu_device, texts), patterns)
    assert not np.array_equal(run_singles(dawn_device, texts), patterns)


def test_all_halves_by_execution(wgpu_device: Device, record_property: Record) -> None:
    """All 65,536 patterns but the NaNs that have a payload; -0.0, inf and NaN in their explicit form."""
    magnitudes = [*all_half_magnitudes(), HALF.infinity, QUIET_HALF]
    patterns = np.array([bits | sign for sign in (0, HALF.sign) for bits in magnitudes], np.uint16)
    texts = [format_f16(float_from_bits(int(bits), HALF), zero="params.zero") for bits in patterns]
    assert np.array_equal(run_halves(wgpu_device, texts), patterns)
    record_property("conformance", f"f16 literals by execution on wgpu: {len(patterns)}")


@pytest.mark.parametrize("name", ["wgpu_device", "dawn_device"])
def test_explicit_singles_by_execution(name: str, request: pytest.FixtureRequest) -> None:
    """-0.0, both infinities and NaN exist at run time only, and keep their bits."""
    device: Device = request.getfixturevalue(name)
    patterns = [0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000]
    words = [f"bitcast<u32>({format_f32(float_from_bits(bits, SINGLE), zero='params.zero')})" for bits in patterns]
    assert run_words(device, words).tolist() == patterns


def test_explicit_halves_are_accepted_by_both() -> None:
    """SwiftShader cannot run f16, but Tint must take the form."""
    text = "enable f16;\n@group(0) @binding(0) var<uniform> zero: u32;\nfn f() -> f16 {{ return {}; }}"
    form = format_f16(-0.0, zero="zero")
    assert tint_refusal(text.format(form)) is None
    assert naga_refusal(text.format(form)) is None
    # Why it is not a bitcast:
    assert naga_refusal(text.format("bitcast<vec2<f16>>(0x8000u | zero).x")) is not None


def test_the_sign_of_a_plain_zero_is_what_the_docstring_says(wgpu_device: Device, dawn_device: Device) -> None:
    """`-0.0f` is refused by neither; Tint makes +0 of it, which is why the explicit form exists."""
    assert run_words(wgpu_device, ["bitcast<u32>(-0.0f)"]).tolist() == [0x80000000]
    assert run_words(dawn_device, ["bitcast<u32>(-0.0f)"]).tolist() == [0]
