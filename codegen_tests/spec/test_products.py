"""Derivatives of products of any order where factors are zero: they are polynomials, and exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd

ROWS = ([0.0, 0.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [5.0, 0.0, 1.0])


def others(x: Any, *without: int) -> float:
    return float(np.prod([v for k, v in enumerate(x) if k not in without]))


def hessian(x: Any) -> Any:
    n = len(x)
    return np.array([[others(x, i, j) if i != j else 0.0 for j in range(n)] for i in range(n)])


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("formula", ["y = prod(j) x[j]", "y = prod(j) (x[j] + 0)", "y = prod(j < 3) x[j]"])
def test_first_and_second_derivatives_are_exact_at_zeros(formula: str, row: list[float]) -> None:
    operation = sd.op("p", formula)
    x, towards = np.array(row), np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(operation.vjp.reference(x=x, d_y=1.0)["x"], [others(x, k) for k in range(3)])
    found = operation.vjp.vjp.reference(x=x, d_y=1.0, d_d_x=towards)
    np.testing.assert_allclose(found["x"], hessian(x) @ towards)
    np.testing.assert_allclose(found["d_y"], sum(others(x, k) * t for k, t in enumerate(towards)))
    tangent = operation.jvp.reference(x=x, t_x=towards)
    np.testing.assert_allclose(tangent, found["d_y"])


def test_the_third_derivative_is_exact_at_zeros() -> None:
    third = sd.op("p", "y = prod(j) x[j]").vjp.vjp.vjp
    assert third.inputs == ("x", "d_y", "d_d_x", "d_d_x_", "d_d_d_y")
    found = third.reference(
        x=np.zeros(3), d_y=1.0, d_d_x=np.array([1.0, 0.0, 0.0]), d_d_x_=np.array([0.0, 1.0, 0.0]), d_d_d_y=0.0
    )
    np.testing.assert_allclose(found["x"], [0.0, 0.0, 1.0])  # d^3 (a b c) is 1 for three different factors


def test_products_over_two_indices_and_of_expressions() -> None:
    operation = sd.op("p", "y[i] = prod(j, k) (a[i, j] - b[j, k])")
    random = np.random.default_rng(0)
    a, b = random.integers(0, 3, (2, 3)) * 1.0, random.integers(0, 3, (3, 2)) * 1.0
    terms = a[:, :, None] - b[None]
    found = operation.vjp.reference(a=a, b=b, d_y=np.ones(2))
    slopes = np.array([[[others(t.ravel(), 2 * j + k) for k in range(2)] for j in range(3)] for t in terms])
    np.testing.assert_allclose(found["a"], slopes.sum(2))
    np.testing.assert_allclose(found["b"], -slopes.sum(0))


@pytest.mark.parametrize("device", ["interpreter", "wgpu", "dawn"])
def test_devices_agree(device: str) -> None:
    operation = sd.op("p", "y[..., i] = prod(j) x[..., i, j]")
    x = np.array([ROWS], np.float32)
    found = operation.vjp(x=x, d_y=np.ones((1, 5), np.float32), device=device)["x"]
    np.testing.assert_allclose(found, operation.vjp.reference(x=x, d_y=np.ones((1, 5)))["x"], rtol=1e-6)


@pytest.mark.parametrize(
    "formula",
    [
        "y[..., t] = scan(t) y[..., t - 1] * 0.5 + x[..., t]",
        "y[..., t] = scan(t, start=h[...]) y[..., t + 1] * x[..., t]",
    ],
)
def test_scans_with_leading_axes_have_derivatives(formula: str) -> None:
    operation = sd.op("d", formula)
    random = np.random.default_rng(0)
    arguments = {n: random.normal(size=(2, 3) if n == "h" else (2, 3, 4)) for n in operation.inputs}
    d_y, moves = random.normal(size=(2, 3, 4)), {f"t_{n}": random.normal(size=v.shape) for n, v in arguments.items()}
    assert operation.vjp.inputs == (*operation.inputs, "d_y")
    backward = operation.vjp.reference(**arguments, d_y=d_y)
    forward = operation.jvp.reference(**arguments, **moves)
    np.testing.assert_allclose((forward * d_y).sum(), sum((backward[n] * moves[f"t_{n}"]).sum() for n in arguments))
