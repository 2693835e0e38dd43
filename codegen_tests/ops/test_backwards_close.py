"""Wrong backwards that are nearly right: by the last places, at ties and at kinks only, or with a gradient too many."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd

MAX = "y[i] = max(j) x[i, j]"
PRODUCT = "y[i] = x[i] * w[i]"


def to_every(x: Any, d_y: Any) -> Any:
    return d_y[:, None] * (x == x.max(1, keepdims=True))


def shared(x: Any, d_y: Any) -> Any:
    hits = x == x.max(1, keepdims=True)
    return d_y[:, None] * hits / hits.sum(1, keepdims=True)


def to_first(x: Any, d_y: Any) -> Any:
    return d_y[:, None] * (np.arange(x.shape[1]) == x.argmax(1)[:, None])


def product_off(part: float) -> Any:
    return lambda x, w, d_y: {"x": d_y * w, "w": d_y * x * (1 - part)}


WRONG = {
    "every tie": (MAX, to_every),
    "the first tie": (MAX, to_first),
    "relu is 1 at 0": ("y[i] = relu(x[i])", lambda x, d_y: d_y * (x >= 0)),
    "relu is a half at 0": ("y[i] = relu(x[i])", lambda x, d_y: d_y * np.heaviside(x, 0.5)),
    "both of two": ("y[i] = max(x[i], w[i])", lambda x, w, d_y: {"x": d_y * (x >= w), "w": d_y * (x <= w)}),
    "clamp stops at its bounds": ("y[i] = clamp(x[i], -1, 1)", lambda x, d_y: d_y * (np.abs(x) < 1)),
    "1e-5 in float64": (PRODUCT, product_off(1e-5)),
    "2e-6 in float64": (PRODUCT, product_off(2e-6)),
    "1e-5 in float32": (PRODUCT, lambda x, w, d_y: {n: np.float32(a) for n, a in product_off(1e-5)(x, w, d_y).items()}),
}
RIGHT = {
    "shared": (MAX, shared),
    "relu": ("y[i] = relu(x[i])", lambda x, d_y: d_y * (x > 0)),
    "clamp": ("y[i] = clamp(x[i], -1, 1)", lambda x, d_y: d_y * (np.abs(x) <= 1)),
    "product": (PRODUCT, product_off(0)),
    "by name": (
        PRODUCT,
        sd.op("b", "given x[i], w[i], d_y[i]\nd_w[i] = d_y[i] * x[i]\nd_x[i] = d_y[i] * w[i]\nout(d_w, d_x)"),
    ),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", WRONG)
def test_a_backward_that_is_nearly_right_is_caught(name: str, seed: int) -> None:
    formula, backward = WRONG[name]
    assert not sd.gradcheck(sd.op("f", formula), backward=backward, seed=seed).ok


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_backward_passes(name: str, seed: int) -> None:
    formula, backward = RIGHT[name]
    report = sd.gradcheck(sd.op("f", formula), backward=backward, seed=seed)
    assert report.ok, str(report)


def test_a_gradient_too_many_is_refused() -> None:
    with pytest.raises(sd.LaunchError, match="a gradient z, which is of no float input"):
        sd.gradcheck(sd.op("f", PRODUCT), backward=lambda x, w, d_y: {"x": d_y * w, "w": d_y * x, "z": x})


@pytest.mark.parametrize("f", [3, "softmax", None])
def test_what_is_no_op_is_refused(f: Any) -> None:
    with pytest.raises(sd.LaunchError, match="gradcheck takes an op"):
        sd.gradcheck(f)


@pytest.mark.parametrize("seed", [-1, "a", 1.5, True])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(sd.LaunchError, match="seed is"):
        sd.gradcheck(sd.op("f", PRODUCT), seed=seed)


def test_an_op_of_whole_numbers_has_no_gradients() -> None:
    with pytest.raises(sd.LaunchError, match="reads no tensor of floats"):
        sd.gradcheck(sd.op("z", "given a[i]: i32\ny[i] = a[i] * 2"))
