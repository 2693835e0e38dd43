"""Groups that differ in names only share a kernel; any other difference keeps them apart."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import ops

RNG = np.random.default_rng(3)


def drawn(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def kernels(plan: Any) -> int:
    return len({launch.kernel for launch in plan.planned.launches})


def layers(x: Any, weights: list[Any]) -> Any:
    for w in weights:
        x = ops.softmax(ops.linear(x, w)) + x
    return x


def test_layers_share_their_kernels(executor_name: str) -> None:
    x, weights = drawn(5, 8), [drawn(8, 8) for _ in range(6)]
    plan = sd.compile(device=executor_name, fusion=False)(layers)
    found = plan(x, weights)
    expected = x.astype(np.float64)
    for w in weights:
        z = expected @ w.T
        e = np.exp(z - z.max(1, keepdims=True))
        expected = e / e.sum(1, keepdims=True) + expected
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert plan.dispatches == 6 * kernels(plan)


DIFFERENT: dict[str, Any] = {
    "op": lambda a, b, _: (a * 2.0, b / 2.0),
    "constant": lambda a, b, _: (a * 2.0, b * 3.0),
    "operands": lambda a, b, _: (a - b, b - a),
    "number": lambda a, b, n: (ops.exp(a) * n["p"], ops.exp(b) * n["q"]),
    "index": lambda a, b, _: (ops.transpose(a), ops.copy(b)),
    "axis": lambda a, b, _: (ops.sum(a), ops.sum(ops.transpose(b))),
    "reduction": lambda a, b, _: (ops.max(a), ops.min(b)),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_is_computed_as_it_is(executor_name: str, name: str) -> None:
    function = DIFFERENT[name]
    a, b, numbers = drawn(4, 4), drawn(4, 4), {"p": 2.0, "q": 5.0}
    found = sd.compile(device=executor_name, fusion=False)(function)(a, b, numbers)
    for part in range(2):
        alone = sd.compile(device=executor_name, fusion=False)(lambda a, b, n, part=part: function(a, b, n)[part])
        np.testing.assert_array_equal(found[part], alone(a, b, numbers))


def test_shapes_and_types_keep_apart(executor_name: str) -> None:
    double = sd.op("double", "y[i] = x[i] + x[i]")
    plan = sd.compile(device=executor_name)(lambda a, b, c: (double(a), double(b), double(c)))
    for found, given in zip(plan(drawn(4), drawn(8), drawn(8)), ("a", "b", "c"), strict=True):
        assert found.shape == ((4,) if given == "a" else (8,))
    assert kernels(plan) == 2


def test_kernels_that_write_over_are_shared(executor_name: str) -> None:
    def step(params: list[Any], grads: list[Any]) -> list[Any]:
        return [p - g * 0.1 for p, g in zip(params, grads, strict=True)]

    plan = sd.compile(device=executor_name, fusion=False, donate=("params",))(step)
    params, grads = [drawn(6) for _ in range(4)], [drawn(6) for _ in range(4)]
    found = plan(params, grads)
    for new, p, g in zip(found, params, grads, strict=True):
        np.testing.assert_allclose(new.numpy(), p - g * np.float32(0.1), rtol=1e-6)
    assert kernels(plan) == plan.dispatches // 4
    assert sum(len(launch.over) for launch in plan.planned.launches) == 4
