"""The usual operations, forward and backward, on every executor against the float64 reference."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import pytest

from codegen_tests.spec.formulas import FORMULAS
from shaderdsl.operation import Op, op

BOUND = 1e-5
"""Of the largest element of the result, or of 0.1: arguments are near 1, and what cancels keeps their rounding."""
COARSER = {"rope_split": 2e-7, "rope_interleaved": 2e-7}
"""Angles are positions times f32 powers: what a position of 257 makes of their last bit, for each position."""
NO_BACKWARD = {"quantised_rows", "argmax"}
"""Whose formula holds or gives whole numbers."""
LARGE = (
    "softmax",
    "gemm",
    "layer_norm",
    "rms_norm",
    "conv1d",
    "embedding",
    "cross_entropy",
    "argmax",
    "flash",
    "rope_split",
)


@cache
def made(name: str) -> Op:
    return op(name, FORMULAS[name].formula)


def results(found: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {"": found}


def check(name: str, operation: Op, arguments: dict[str, Any], device: str, size: int) -> None:
    expected, found = results(operation.reference(**arguments)), results(operation(**arguments, device=device))
    assert expected.keys() == found.keys()
    for key, right in expected.items():
        assert found[key].shape == right.shape
        largest = np.abs(right).max(initial=0.0)
        bound = max(BOUND, COARSER.get(name, 0.0) * size) * max(float(largest), 0.1)
        np.testing.assert_allclose(found[key], right, rtol=0, atol=bound, err_msg=f"{key} of {operation.formula}")


@pytest.mark.parametrize("name", FORMULAS)
def test_forward(name: str, executor_name: str) -> None:
    for size in (1, 5, 13):
        check(name, made(name), FORMULAS[name].draw(np.random.default_rng(size), size), executor_name, size)


@pytest.mark.parametrize("size", [255, 256, 257])
@pytest.mark.parametrize("name", LARGE)
def test_forward_around_a_workgroup(name: str, size: int, executor_name: str) -> None:
    check(name, made(name), FORMULAS[name].draw(np.random.default_rng(size), size), executor_name, size)


@pytest.mark.parametrize("name", sorted(set(FORMULAS) - NO_BACKWARD))
def test_backward(name: str, executor_name: str) -> None:
    forward = made(name)
    for size in (1, 7):
        arguments = FORMULAS[name].draw(np.random.default_rng(size), size)
        outputs = dict(zip(forward.spec.outputs, results(forward.reference(**arguments)).values()))
        random = np.random.default_rng(3)
        given: dict[str, Any] = {f"d_{n}": random.normal(size=y.shape) for n, y in outputs.items()}
        wanted = {n: v for n, v in given.items() if n in forward.vjp.inputs}
        check(name, forward.vjp, arguments | wanted, executor_name, size)


def test_a_wrong_result_is_found(executor_name: str) -> None:
    wrong = op("wrong", "y[i] = x[i] * 1.0001")
    arguments = {"x": np.linspace(1, 2, 5)}
    right = made_right().reference(**arguments)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(wrong(**arguments, device=executor_name), right, rtol=0, atol=BOUND * 2)


def made_right() -> Op:
    return op("right", "y[i] = x[i]")


@pytest.mark.parametrize("name", ["softmax", "attention", "ssd", "cross_entropy", "embedding"])
def test_two_runs_give_the_same_bits(name: str, executor_name: str) -> None:
    arguments = FORMULAS[name].draw(np.random.default_rng(1), 9)
    first, second = (made(name)(**arguments, device=executor_name) for _ in range(2))
    assert first.tobytes() == second.tobytes()
