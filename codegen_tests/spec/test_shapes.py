"""Sizes: extents from the axes where indices stand, and arguments that do not fit named with their axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shaderdsl.errors import LaunchError
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.spec.shapes import bind_sizes, shape_of


@pytest.mark.parametrize(
    ("formula", "shapes", "name", "shape"),
    [
        ("y[i, j] = x[i, k0] * w[k0, j]", {"x": (3, 5), "w": (5, 7)}, "y", (3, 7)),
        ("y[t] = sum(k) w[k] * x[t - k]", {"x": (9,), "w": (4,)}, "y", (9,)),
        ("y[t < size(t) // 2] = x[2 * t]", {"x": (9,)}, "y", (4,)),
        ("y[t < size(t) + 2] = x[t - 1]", {"x": (5,)}, "y", (7,)),
        ("y[i, j < size(i)] = x[i] * j", {"x": (3,)}, "y", (3, 3)),
        ("y[i < 4, j < size(i) + 1] = i * j", {}, "y", (4, 5)),
        ("y[..., i] = x[..., i] * g[..., i]", {"x": (4, 1, 3), "g": (5, 3)}, "y", (4, 5, 3)),
        ("y[..., c] = w[ids[...], c]", {"w": (7, 3), "ids": (2, 5)}, "y", (2, 5, 3)),
        ("loss = sum(i) x[i]", {"x": (3,)}, "loss", ()),
        ("y[i < n] = x[i % size(i)] * size(i)", {"x": (3,)}, "y", (4,)),
    ],
)
def test_shapes(formula: str, shapes: dict[str, tuple[int, ...]], name: str, shape: tuple[int, ...]) -> None:
    spec = parse_spec("f", formula)
    assert shape_of(spec, name, bind_sizes(spec, shapes, {"n": 4, "k0": 0})) == shape


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("y[i] = a[i] + b[i]", {"a": np.ones(3), "b": np.ones(4)}, "axis i is 3 in a and 4 in b"),
    ("y[i] = a[i]", {}, "a is missing"),
    ("y[i] = a[i]", {"a": np.ones(3), "b": 1}, "f has no input b"),
    ("y[i] = a[i]", {"a": np.ones((3, 2))}, "a has 1 axis, not the 2 of shape (3, 2)"),
    ("y[..., i] = a[..., i]", {"a": np.float64(2)}, "a has at least 1 axis, not the 0 of shape ()"),
    ("y[i] = a[i] * s", {"a": np.ones(3), "s": np.ones(3)}, "s is a number, not an array of shape (3,)"),
    ("y[i] = a[ids[i]]", {"a": np.ones(3), "ids": np.ones(3)}, "ids holds whole numbers, not float64"),
    ("y[i] = a[i]", {"a": np.array(["x"])}, "a holds no numbers"),
    (
        "y[..., i] = a[..., i] + b[..., i]",
        {"a": np.ones((3, 2)), "b": np.ones((4, 2))},
        "the leading axes of y do not broadcast: a (3,), b (4,)",
    ),
    ("y[i < size(i) - 4] = a[i]", {"a": np.ones(3)}, "i of y would have the extent -1"),
    ("y = max(i) a[i]", {"a": np.ones(0)}, "y is the max of nothing"),
    ("y[i < size(i) // n] = a[i]", {"a": np.ones(3), "n": 0}, "an extent divides by zero"),
    (
        "y[b, i] = a[ids[b, i]]",
        {"a": np.ones(3), "ids": np.array([[0, 1], [2, -1]])},
        "ids[b, i] is -1 at b = 1, i = 1: outside axis 0 of a, which has 3",
    ),
    (
        "y[..., c] = a[ids[...] + 1, c]",
        {"a": np.ones((3, 2)), "ids": np.array([0, 2])},
        "ids[...] + 1 is 3 at axis 0 = 1: outside axis 0 of a, which has 3",
    ),
]


@pytest.mark.parametrize(("formula", "arguments", "message"), WRONG)
def test_what_does_not_fit_is_named(formula: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(LaunchError) as caught:
        evaluate(parse_spec("f", formula), arguments)
    assert caught.value.message == message
    assert caught.value.hints


def test_a_fill_takes_the_place_of_the_error() -> None:
    arguments = {"a": np.array([1.0, 2.0]), "ids": np.array([1, 5, -1])}
    for fill in ("; 9", "; fill=9"):
        found = evaluate(parse_spec("f", f"y[i] = a[ids[i]{fill}]"), arguments)["y"]
        np.testing.assert_array_equal(found, [2, 9, 9])


def test_empty_axes() -> None:
    spec = parse_spec("f", "s = sum(i) x[i]\ny[i] = x[i] * 2\nh[t] = scan(t) h[t - 1] + y[t]\nout(s, h)")
    found = evaluate(spec, {"x": np.ones(0)})
    assert found["s"] == 0
    assert found["h"].shape == (0,)
