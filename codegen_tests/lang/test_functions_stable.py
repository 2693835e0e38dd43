"""tanh, sigmoid, softplus and silu against float64, on the interpreter and on both devices, where the plain formulas overflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import pytest

import shaderdsl as sd
from shaderdsl import f16, f32

Wide = npt.NDArray[np.float64]

FINITE = [
    0.0,
    1e-30,
    -1e-30,
    0.5,
    -0.5,
    3.0,
    -3.0,
    20.0,
    -20.0,
    44.0,
    -44.0,
    88.0,
    -88.0,
    89.0,
    -89.0,
    1e4,
    -1e4,
    3e38,
    -3e38,
]
POINTS = np.array([*FINITE, np.inf, -np.inf, np.nan], np.float32)


@sd.kernel
def stable(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    tanh: Annotated[sd.Out[f32], "n"],
    sigmoid: Annotated[sd.Out[f32], "n"],
    softplus: Annotated[sd.Out[f32], "n"],
    silu: Annotated[sd.Out[f32], "n"],
) -> None:
    with k.each(x.n) as i:
        tanh[i] = sd.tanh(x[i])
        sigmoid[i] = sd.sigmoid(x[i])
        softplus[i] = sd.softplus(x[i])
        silu[i] = sd.silu(x[i])


@sd.kernel
def plain(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], softplus: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        softplus[i] = sd.log(1 + sd.exp(x[i]))


@sd.kernel
def halves(
    k: sd.Kernel, x: Annotated[sd.In[f16], "n"], tanh: Annotated[sd.Out[f16], "n"], sigmoid: Annotated[sd.Out[f16], "n"]
) -> None:
    with k.each(x.n) as i:
        tanh[i] = sd.tanh(x[i])
        sigmoid[i] = sd.sigmoid(x[i])


@sd.kernel
def vectors(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        v = sd.tanh(sd.vec3f(0.25, x[i], 0.75))
        y[i] = v.y


def logistic(x: Wide) -> Wide:
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


EXACT: dict[str, Callable[[Wide], Any]] = {
    "tanh": np.tanh,
    "sigmoid": logistic,
    "softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "silu": lambda x: x * logistic(x),
}
ABSOLUTE = {"tanh": 1e-5, "sigmoid": 1e-6, "softplus": 1e-6, "silu": 1e-6}


def wrong(x: npt.NDArray[Any], got: npt.NDArray[Any], name: str, absolute: float, relative: float) -> list[float]:
    """The arguments whose result is not near the exact one; NaN is near NaN only, and an infinity to itself."""
    with np.errstate(all="ignore"):
        want = np.asarray(EXACT[name](x.astype(np.float64)))
        near = np.abs(got.astype(np.float64) - want) <= absolute + relative * np.abs(want)
    same = (np.isnan(want) & np.isnan(got)) | (want == got)
    missed: list[float] = x[~(near | same)].tolist()
    return missed


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "softplus"])
def test_stable_forms_are_right_everywhere(name: str, executor_name: str) -> None:
    result = stable(POINTS, device=executor_name)
    assert wrong(POINTS, result[name], name, ABSOLUTE[name], 1e-5) == []


def test_silu_is_right_but_at_minus_infinity(executor_name: str) -> None:
    points = POINTS[-np.inf != POINTS]
    assert wrong(points, stable(points, device=executor_name)["silu"], "silu", 1e-6, 1e-5) == []


def test_silu_of_minus_infinity_is_nan_as_the_formula_has_it() -> None:
    points = np.array([-np.inf], np.float32)
    assert np.isnan(stable(points, device="interpreter")["silu"]).all()


def test_sigmoid_is_relatively_accurate_below_zero(executor_name: str) -> None:
    points = np.linspace(-80, 0, 321, dtype=np.float32)
    assert wrong(points, stable(points, device=executor_name)["sigmoid"], "sigmoid", 0.0, 2e-5) == []


def test_the_plain_formula_is_caught() -> None:
    result = plain(POINTS, device="interpreter")
    assert 89.0 in wrong(POINTS, result, "softplus", 1e-6, 1e-5)


@pytest.mark.parametrize("device", ["interpreter", "wgpu"])
def test_halves_saturate_without_overflow(device: str) -> None:
    points = np.array([0, 0.5, -0.5, 5, -5, 12, -12, 65504, -65504, np.inf, -np.inf, np.nan], np.float16)
    result = halves(points, device=device)
    assert wrong(points, result["tanh"], "tanh", 2e-3, 2e-3) == []
    assert wrong(points, result["sigmoid"], "sigmoid", 2e-3, 2e-3) == []


def test_vectors_are_componentwise(executor_name: str) -> None:
    assert wrong(POINTS, vectors(POINTS, device=executor_name), "tanh", 1e-5, 1e-5) == []


def test_each_is_one_function_of_the_module() -> None:
    text = stable.wgsl()
    heads = [line for line in text.splitlines() if line.startswith("fn ") and "->" in line]
    assert heads == [
        "fn safe_tanh(x_1: f32) -> f32 {",
        "fn sigmoid_1(x_1: f32) -> f32 {",
        "fn softplus_1(x_1: f32) -> f32 {",
        "fn silu_1(x_1: f32) -> f32 {",
    ]


@sd.kernel
def twice(k: sd.Kernel, a: Annotated[sd.InOut[f32], "n"], b: Annotated[sd.InOut[f16], "n"]) -> None:
    with k.each(a.n) as i:
        a[i] = sd.tanh(sd.tanh(a[i])) + sd.tanh(a[i])
        b[i] = sd.tanh(sd.tanh(b[i]))


def test_a_function_is_written_once_a_type() -> None:
    text = twice.wgsl()
    assert text.count("fn safe_tanh(x: f32) -> f32 {") == 1
    assert text.count("fn safe_tanh_f16(x: f16) -> f16 {") == 1
    assert text.count("fn ") == 3
