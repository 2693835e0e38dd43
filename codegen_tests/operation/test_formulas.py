"""The usual operations, forward and backward, on every executor against the float64 reference."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import pytest

from codegen_tests.spec.formulas import FORMULAS
from shaderdsl.operation import Op, op
from shaderdsl.testing.devices import UNCAPPED, excess
from shaderdsl.testing.rounding import bounds_of

BOUND = 1e-5
"""Of a wrong result, far beyond what a product may be off."""
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


def check(operation: Op, arguments: dict[str, Any], device: str) -> None:
    """Each element within what WGSL's accuracies allow at these arguments."""
    spec = operation.spec_at({n: np.shape(a) for n, a in arguments.items()})
    expected, found = results(operation.reference(**arguments)), results(operation(**arguments, device=device))
    bounds = bounds_of(spec, arguments)
    assert expected.keys() == found.keys()
    for (key, right), output in zip(expected.items(), spec.outputs):
        assert found[key].shape == right.shape
        assert excess(found[key], bounds[output], UNCAPPED) <= 1, f"{key} of {operation.formula}"


@pytest.mark.parametrize("name", FORMULAS)
def test_forward(name: str, executor_name: str) -> None:
    for size in (1, 5, 13):
        check(made(name), FORMULAS[name].draw(np.random.default_rng(size), size), executor_name)


@pytest.mark.parametrize("size", [255, 256, 257])
@pytest.mark.parametrize("name", LARGE)
def test_forward_around_a_workgroup(name: str, size: int, executor_name: str) -> None:
    check(made(name), FORMULAS[name].draw(np.random.default_rng(size), size), executor_name)


@pytest.mark.parametrize("name", sorted(set(FORMULAS) - NO_BACKWARD))
def test_backward(name: str, executor_name: str) -> None:
    forward = made(name)
    for size in (1, 7):
        arguments = FORMULAS[name].draw(np.random.default_rng(size), size)
        outputs = dict(zip(forward.spec.outputs, results(forward.reference(**arguments)).values()))
        random = np.random.default_rng(3)
        given: dict[str, Any] = {f"d_{n}": random.normal(size=y.shape) for n, y in outputs.items()}
        wanted = {n: v for n, v in given.items() if n in forward.vjp.inputs}
        check(forward.vjp, arguments | wanted, executor_name)


def test_a_wrong_result_is_found(executor_name: str) -> None:
    wrong, arguments = op("wrong", f"y[i] = x[i] * {1 + BOUND}"), {"x": np.linspace(1, 2, 5)}
    check(made_right(), arguments, executor_name)
    bound = bounds_of(made_right().spec, arguments)["y"]
    assert excess(wrong(**arguments, device=executor_name), bound, UNCAPPED) > 50


def made_right() -> Op:
    return op("right", "y[i] = x[i]")


@pytest.mark.parametrize("name", ["softmax", "attention", "ssd", "cross_entropy", "embedding"])
def test_two_runs_give_the_same_bits(name: str, executor_name: str) -> None:
    arguments = FORMULAS[name].draw(np.random.default_rng(1), 9)
    first, second = (made(name)(**arguments, device=executor_name) for _ in range(2))
    assert first.tobytes() == second.tobytes()
