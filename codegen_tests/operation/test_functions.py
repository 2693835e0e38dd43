"""Every function of numbers, on every executor, against float64: within 1e-5, at ordinary points and at the ends of f32's range."""

from __future__ import annotations

import numpy as np
import pytest

from shaderdsl.operation import op
from shaderdsl.spec.functions import FUNCTIONS, TABLE, Domain

COUNT = 500
RELATIVE = 1e-5
SMALLEST = 1.2e-38
"""Below it devices may flush to zero."""
ABSOLUTE = {"log": 5e-7, "log2": 5e-7, "mix": 2e-4, "fma": 1e-3, "tan": 5e-4}
"""Where results cancel or the builtin has an absolute bound, on the points below."""
NARROW = {"acos": (-1, 1), "asin": (-1, 1), "atanh": (-0.99, 0.99), "acosh": (1, 50)}
POSITIVE = ("log", "log2", "sqrt", "rsqrt")
TRUNCATED = "quantize_to_f16"
"""Devices may round halves either way."""
NAMES = [f.name for f in TABLE if f.domain in (Domain.FLOAT, Domain.NUMERIC) and f.name != TRUNCATED]
ENDS = np.array([0, 1e-30, -1e-30, 1e-3, -1e-3, 1, -1, 20, -20, 88, -88, 89, -89, 1e4, -1e4], np.float32)
BOUNDED = ("sigmoid", "silu", "softplus", "gelu", "tanh", "relu", "sinh", "cosh", "atan", "asinh", "exp", "abs")


def points(name: str, arity: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    low, high = NARROW.get(name, (1e-3, 60) if name in POSITIVE else (-60, 60))
    given = {v: random.uniform(low, high, COUNT).astype(np.float32) for v in "xyz"[:arity]}
    if name == "smoothstep":
        given |= {"x": np.full(COUNT, -1, np.float32), "y": np.full(COUNT, 1.5, np.float32)}
    if name == "pow":
        given |= {"x": np.round(given["x"]), "y": np.round(given["y"] / 8)}
    if name == "ldexp":
        given |= {"y": np.round(given["y"])}
    return given


def worst(found: np.ndarray, right: np.ndarray, absolute: float) -> float:
    """The largest error, in units of the bound, over what f32 holds."""
    held = np.abs(right) < 3.4e38
    allowed = RELATIVE * np.abs(right[held]) + absolute
    return float(np.max(np.abs(found[held] - right[held]) / allowed, initial=0.0))


@pytest.mark.parametrize("name", NAMES)
def test_ordinary_points(name: str, executor_name: str) -> None:
    arity = FUNCTIONS[name].arity
    call = op("called", f"o[i] = {name}({', '.join(f'{v}[i]' for v in 'xyz'[:arity])})")
    given = points(name, arity)
    found = call(**given, device=executor_name).astype(float)
    assert worst(found, call.reference(**given), ABSOLUTE.get(name, 1e-6)) <= 1


@pytest.mark.parametrize("name", BOUNDED)
def test_the_ends_of_the_range(name: str, executor_name: str) -> None:
    call = op("called", f"o[i] = {name}(x[i])")
    found = call(ENDS, device=executor_name).astype(float)
    assert worst(found, call.reference(ENDS), SMALLEST) <= 1


def test_a_wrong_function_is_found() -> None:
    call = op("called", "o[i] = exp(x[i]) * 1.0001")
    x = np.linspace(-3, 3, 20)
    assert worst(call(x, device="interpreter").astype(float), np.exp(x), 1e-6) > 1
