"""inf, NaN and bits: exact on every executor, found by bit tests and never by comparison."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f16, f32, u32

WORDS = np.array(
    [0, 0x80000000, 1, 0x3F800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001],
    np.uint32,
)
HALVES = np.array([0, 0x8000, 1, 0x3C00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE01], np.uint16)


@sd.kernel
def kinds(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], kind: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        kind[i] = sd.is_nan(x[i]).u32 + sd.is_inf(x[i]).u32 * 10 + sd.is_finite(x[i]).u32 * 100


@sd.kernel
def half_kinds(k: sd.Kernel, x: Annotated[sd.In[f16], "n"], kind: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        kind[i] = sd.is_nan(x[i]).u32 + sd.is_inf(x[i]).u32 * 10 + sd.is_finite(x[i]).u32 * 100


@sd.kernel
def vector_kinds(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], kind: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        v = sd.vec2f(1.0, x[i])
        kind[i] = sd.is_nan(v).y.u32 + sd.any(sd.is_inf(v)).u32 * 10 + sd.all(sd.is_finite(v)).u32 * 100


def kinds_of(values: np.ndarray) -> list[int]:
    """1 for NaN, 10 for an infinity, 100 for the rest."""
    kinds: list[int] = (np.isnan(values) * 1 + np.isinf(values) * 10 + np.isfinite(values) * 100).tolist()
    return kinds


def test_kinds_of_f32(executor_name: str) -> None:
    x = WORDS.view(np.float32)
    assert sorted(set(kinds_of(x))) == [1, 10, 100]
    assert kinds(x, device=executor_name).tolist() == kinds_of(x)
    assert vector_kinds(x, device=executor_name).tolist() == kinds_of(x)


@pytest.mark.parametrize("device", ["interpreter", "wgpu"])
def test_kinds_of_f16(device: str) -> None:
    x = HALVES.view(np.float16)
    assert half_kinds(x, device=device).tolist() == kinds_of(x)


@sd.kernel
def made(k: sd.Kernel, bits: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(1):
        bits[0] = sd.bitcast(sd.inf(f32), u32)
        bits[1] = sd.bitcast(sd.nan(f32), u32)
        bits[2] = sd.bitcast(sd.float_bits(0x80000000, f32), u32)
        bits[3] = sd.bitcast(sd.float_bits(0x00000001, f32), u32)
        bits[4] = sd.bitcast(sd.lowest(f32), u32)
        bits[5] = sd.bitcast(sd.largest(f32), u32)
        bits[6] = sd.bitcast(sd.bitcast(u32(0xFF800000), f32), u32)


def test_made_floats_have_their_bits(executor_name: str) -> None:
    got = made(device=executor_name, axes={"n": 7}).tolist()
    assert got == [0x7F800000, 0x7FC00000, 0x80000000, 1, 0xFF7FFFFF, 0x7F7FFFFF, 0xFF800000]


@sd.kernel
def made_halves(k: sd.Kernel, y: Annotated[sd.Out[f16], "n"]) -> None:
    with k.each(1):
        y[0] = sd.inf(f16)
        y[1] = sd.float_bits(0x8000, f16)
        y[2] = sd.float_bits(0x0001, f16)
        y[3] = sd.lowest(f16)
        y[4] = sd.largest(f16)
        y[5] = sd.nan(f16)


@pytest.mark.parametrize("device", ["interpreter", "wgpu"])
def test_made_halves_have_their_bits(device: str) -> None:
    got = made_halves(device=device, axes={"n": 6})
    assert got[:5].view(np.uint16).tolist() == [0x7C00, 0x8000, 1, 0xFBFF, 0x7BFF]
    assert np.isnan(got[5])


def test_tests_of_bits_take_the_users_name_once() -> None:
    @sd.kernel
    def named(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
        with k.each(x.n) as i:
            bad = sd.is_nan(x[i])
            y[i] = sd.where(bad, 0, x[i])

    assert "let bad = (bitcast<u32>(x[i]) & 2147483647u) > 2139095040u;" in named.wgsl()
    assert "bad_1" not in named.wgsl()
