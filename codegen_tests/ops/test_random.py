"""Philox by its known answers, the same bits on every device, and numbers that look as they should."""

from __future__ import annotations

from typing import Any

import pytest

from codegen_tests.ops.meanings import philox
from shaderdsl import ops

KNOWN = [
    ([0, 0, 0, 0], [0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([2**32 - 1] * 4, [2**32 - 1] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]
"""Counter, key and answer, from the generator's authors."""
DEVICES = ("interpreter", "wgpu", "dawn")


def drawn(op: Any, n: int, device: str, counter: list[int] | None = None, key: list[int] | None = None) -> Any:
    words = {f"word{i}": w for i, w in enumerate(counter or [5, 0, 0, 0])}
    return op(n=n, device=device, **words, **{f"key{i}": k for i, k in enumerate(key or [1, 2])})


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_known_answers(counter: list[int], key: list[int], answer: list[int], device: str) -> None:
    assert philox(counter, key) == answer
    assert drawn(ops.random_bits, 4, device, counter, key).tolist() == answer


@pytest.mark.parametrize("op", ["random_bits", "random_uniform", "random_permutation"])
def test_every_device_draws_the_same_bits(op: str) -> None:
    found = [drawn(getattr(ops, op), 301, device).tobytes() for device in DEVICES]
    assert found[0] == found[1] == found[2]


def moments(numbers: Any) -> tuple[float, float]:
    found = [float(x) for x in numbers]
    mean = sum(found) / len(found)
    return mean, sum((x - mean) ** 2 for x in found) / len(found)


@pytest.mark.parametrize(("op", "mean", "variance"), [("random_uniform", 0.5, 1 / 12), ("random_normal", 0.0, 1.0)])
def test_moments(op: str, mean: float, variance: float) -> None:
    found = moments(drawn(getattr(ops, op), 20_000, "interpreter"))
    assert found == (pytest.approx(mean, abs=0.03), pytest.approx(variance, abs=0.03))


def test_a_permutation_has_each_number_once() -> None:
    assert sorted(drawn(ops.random_permutation, 97, "interpreter").tolist()) == list(range(97))


def test_another_key_draws_others() -> None:
    assert (
        drawn(ops.random_bits, 64, "interpreter").tolist()
        != drawn(ops.random_bits, 64, "interpreter", key=[2, 2]).tolist()
    )
