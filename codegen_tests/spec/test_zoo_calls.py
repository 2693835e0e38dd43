"""Odd arguments of ops: each is taken as what it says, or refused by name, on a device and by the reference alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shaderdsl.errors import LaunchError
from shaderdsl.operation import Op, op

X = np.arange(6.0).reshape(2, 3)
square = op("square", "given x[i, j], a\ny[i, j] = a * x[i, j] ** 2")
embed = op("embed", "y[t, c] = w[ids[t], c]")
softmax = op(
    "softmax",
    "m[...] = max(j) x[..., j]\ne[..., j] = exp(x[..., j] - m[...])\ns[...] = sum(j) e[..., j]\ny[..., j] = e[..., j] / s[...]",
)
product = op("product", "y[i, j] = sum(k) a[i, k] * b[k, j]")
running = op("running", "s[t] = scan(t) s[t - 1] + x[t]")
total = op("total", "y = sum(i, j) x[i, j]")


def both(operation: Op, *arguments: Any, **named: Any) -> Any:
    """What the interpreter gives, which is what the reference gives."""
    found = operation(*arguments, **named, device="interpreter")
    np.testing.assert_allclose(found, operation.reference(*arguments, **named), rtol=1e-6)
    return found


@pytest.mark.parametrize(
    "x",
    [X, X.astype(int), X > 2, X.tolist(), X.T, X[::-1, ::2], X.astype(np.float16), X.astype(">f8"), X[:0], X[:, :0]],
    ids=["f64", "int", "bool", "list", "transposed", "strided", "f16", "big_endian", "no_rows", "no_columns"],
)
def test_arrays_of_any_layout(x: Any) -> None:
    assert both(square, x, 2).shape == np.shape(x)


@pytest.mark.parametrize("a", [2, 2.0, np.float64(2), np.int64(2), np.array(2.0)])
def test_numbers_of_any_kind(a: Any) -> None:
    np.testing.assert_array_equal(both(square, X, a), 2 * X**2)


@pytest.mark.parametrize("x", [X + 0j, X.astype(object), "x", None, [[1, 2], [3]], X[0], X[None], 3.0])
def test_what_is_no_array_of_two_axes(x: Any) -> None:
    for call in (lambda: square(x, 2.0, device="interpreter"), lambda: square.reference(x, 2.0)):
        with pytest.raises(LaunchError, match="error: x ") as caught:
            call()
        assert caught.value.hints


@pytest.mark.parametrize("a", [np.ones(1), 2j, None, "2", 10**400], ids=["array", "complex", "none", "text", "huge"])
def test_what_is_no_number(a: Any) -> None:
    for call in (lambda: square(X, a, device="interpreter"), lambda: square.reference(X, a)):
        with pytest.raises(LaunchError, match="error: a "):
            call()


def test_nothing_to_do() -> None:
    np.testing.assert_array_equal(both(product, np.ones((2, 0)), np.ones((0, 3))), np.zeros((2, 3)))
    assert both(running, np.ones(0)).shape == (0,)
    assert both(total, X[:0]) == 0
    assert both(softmax, X[:0]).shape == (0, 3)
    assert both(embed, ids=np.zeros(0, int), w=X[:0]).shape == (0, 3)
    with pytest.raises(LaunchError, match="m is the max of nothing"):
        softmax(X[:, :0], device="interpreter")


def test_nothing_to_derive() -> None:
    found = square.vjp(x=X[:0], a=2.0, d_y=X[:0], device="interpreter")
    assert found["x"].shape == (0, 3)
    inner = product.vjp(a=np.ones((2, 0)), b=np.ones((0, 3)), d_y=np.ones((2, 3)), device="interpreter")
    assert (inner["a"].shape, inner["b"].shape) == ((2, 0), (0, 3))
    np.testing.assert_array_equal(total.vjp(x=X, d_y=3.0, device="interpreter")["x"], np.full((2, 3), 3.0))


@pytest.mark.parametrize("wrong", [-1, 2, 2**31 - 1])
def test_a_position_outside_is_named(wrong: int) -> None:
    ids = np.array([0, 1, wrong])
    for call in (lambda: embed(ids=ids, w=X, device="interpreter"), lambda: embed.reference(ids=ids, w=X)):
        with pytest.raises(LaunchError, match=rf"ids\[t\] is {wrong} at t = 2: outside axis 0 of w, which has 2"):
            call()


def test_not_a_number_passes() -> None:
    rows = both(softmax, np.array([[np.nan, 1.0], [0.0, 1.0]]))
    assert np.isnan(rows[0]).all()
    assert np.isfinite(rows[1]).all()
    assert both(softmax, np.array([[-np.inf, 1.0]])).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": X, "a": 2.0}, "misses d_y"),
        ({"x": X, "a": 2.0, "d_y": X.T}, "axis i is 2 in x and 3 in d_y"),
        ({"x": X, "a": 2.0, "d_y": X[0]}, "d_y has 2 axes, not the 1"),
    ],
)
def test_wrong_gradients_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(LaunchError, match=message):
        square.vjp(**arguments, device="interpreter")
