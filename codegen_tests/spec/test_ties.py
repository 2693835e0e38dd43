"""Gradients of maxima of expressions: the element that the forward chose gets them, whatever algebra the derivation does.

The backward finds that element by `==`, so both sides must be the same numbers, rounded alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd

WHERE = ("interpreter", "wgpu", "dawn")
EXPRESSIONS = (
    "(a[i, j] + b[i, j]) / c[i, j]",
    "a[i, j] / b[i, j] * c[i, j]",
    "sigmoid(a[i, j]) * b[i, j] * c[i, j]",
    "exp(a[i, j]) * exp(b[i, j]) + c[i, j]",
    "log(1 + exp(a[i, j])) + b[i, j] * c[i, j]",
    "(a[i, j] + 0.1) + 0.2 + b[i, j] * c[i, j]",
    "a[i, j] + (b[i, j] + c[i, j])",
    "a[i, j] * (b[i, j] * c[i, j])",
    "(a[i, j] - b[i, j]) * c[i, j]",
    "c[i, j] / (1 + exp(-a[i, j])) + b[i, j]",
    "a[i, j] * sigmoid(a[i, j]) + b[i, j] * c[i, j]",
    "(a[i, j] ** 2 - b[i, j] ** 2) * c[i, j]",
    "sqrt(a[i, j] * a[i, j]) * b[i, j] + c[i, j]",
    "max(a[i, j] + b[i, j], c[i, j]) * 3",
    "where(a[i, j] > 0, b[i, j], c[i, j]) / 3 * b[i, j]",
    "2 * a[i, j] * b[i, j] + 2 * b[i, j] * c[i, j]",
    "pow(c[i, j], 1.5) / c[i, j] - a[i, j] - b[i, j]",
    "(exp(a[i, j]) - 1) / a[i, j] * b[i, j] * c[i, j]",
    "1 + tanh(a[i, j]) + b[i, j] + c[i, j]",
    "a[i, j] / 3 + b[i, j] / 3 + c[i, j] / 3",
)
DRAWS, ROWS, COLUMNS = 30, 4, 5


def arguments(dtype: Any) -> dict[str, Any]:
    random = np.random.default_rng(1)
    shape = (DRAWS * ROWS, COLUMNS)
    found = {"a": random.normal(size=shape), "b": random.normal(size=shape), "c": 0.5 + random.random(shape)}
    return {n: v.astype(dtype) for n, v in found.items()}


def chosen(values: Any, best: str) -> Any:
    """1 where a row has its greatest or least element."""
    edge = values.max(1, keepdims=True) if best == "max" else values.min(1, keepdims=True)
    hits = values == edge
    return hits / hits.sum(1, keepdims=True)


@pytest.mark.parametrize("best", ["max", "min"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_reference_gives_the_gradient_to_the_element_that_the_forward_chose(expression: str, best: str) -> None:
    given = arguments(np.float64)
    whole, each = sd.op("whole", f"y[i] = {best}(j) {expression}"), sd.op("each", f"y[i, j] = {expression}")
    weights = np.random.default_rng(2).normal(size=DRAWS * ROWS)
    found: dict[str, Any] = whole.vjp.reference(**given, d_y=weights)
    wanted = each.vjp.reference(**given, d_y=weights[:, None] * chosen(each.reference(**given), best))
    for name, gradient in wanted.items():
        np.testing.assert_allclose(found[name], gradient, rtol=1e-12, atol=1e-12)
    tangents: dict[str, Any] = {f"t_{n}": np.random.default_rng(3).normal(size=v.shape) for n, v in given.items()}
    forwards: Any = whole.jvp.reference(**given, **tangents)
    pairs = [(found[n] * tangents[f"t_{n}"]).sum() for n in given]
    np.testing.assert_allclose((forwards * weights).sum(), sum(pairs), rtol=1e-9)


@pytest.mark.parametrize("device", WHERE)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_devices_give_the_gradient_to_the_element_that_the_forward_chose(expression: str, device: str) -> None:
    given = arguments(np.float32)
    whole, each = sd.op("whole", f"y[i] = max(j) {expression}"), sd.op("each", f"y[i, j] = {expression}")
    weights = np.random.default_rng(2).normal(size=DRAWS * ROWS).astype(np.float32)
    found = whole.vjp(**given, d_y=weights, device=device)
    hits = chosen(each(**given, device=device), "max").astype(np.float32)
    wanted = each.vjp(**given, d_y=weights[:, None] * hits, device=device)
    for name, gradient in wanted.items():
        np.testing.assert_allclose(found[name], gradient, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("formula", "at", "slopes"),
    [
        ("y[i] = relu((a[i] - b[i]) * c[i])", {"a": 0.1, "b": 0.1, "c": 0.3}, {"a": 0, "b": 0, "c": 0}),
        ("y[i] = abs((a[i] + b[i]) + c[i])", {"a": 0.1, "b": 0.2, "c": -(0.1 + 0.2)}, {"a": 0, "b": 0, "c": 0}),
        ("y[i] = max((a[i] + b[i]) + c[i], 0)", {"a": 0.1, "b": 0.2, "c": -(0.1 + 0.2)}, {"a": 1, "b": 1, "c": 1}),
        ("y[i] = clamp((a[i] + b[i]) + c[i], 0, 1)", {"a": 0.1, "b": 0.2, "c": -(0.1 + 0.2)}, {"a": 1, "b": 1, "c": 1}),
        ("y[i] = where((a[i] + b[i]) + c[i] == 0, a[i], b[i])", {"a": 0.1, "b": 0.2, "c": -(0.1 + 0.2)}, {"a": 1}),
        (
            "s[i] = a[i] * b[i]\ny[i] = s[i] / c[i]\nm = max(i) s[i]\nz[i] = y[i] * m\nout(z)",
            {"a": 0.1, "b": 0.2, "c": 0.3},
            {},
        ),
    ],
)
def test_conditions_compare_what_the_forward_compares(
    formula: str, at: dict[str, float], slopes: dict[str, float]
) -> None:
    operation = sd.op("kink", formula)
    given = {n: np.array([v]) for n, v in at.items()}
    found = operation.vjp.reference(**given, **{operation.vjp.inputs[-1]: np.ones(1)})
    for name, slope in slopes.items():
        assert found[name] == slope, name


def test_elements_that_are_equal_share() -> None:
    operation = sd.op("tied", "y[i] = max(j) a[i, j] / 3 * 3")
    found = operation.vjp.reference(a=np.array([[0.7, 0.7, 0.1]]), d_y=np.ones(1))["a"]
    np.testing.assert_allclose(found, [[0.5, 0.5, 0.0]])
