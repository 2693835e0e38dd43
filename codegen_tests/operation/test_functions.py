"""Every function of numbers, on every executor, against float64: within what WGSL allows its form, at ordinary points and at the ends of f32's range."""

from __future__ import annotations

import numpy as np
import pytest

from shaderdsl.operation import Op, op
from shaderdsl.spec.functions import FUNCTIONS, TABLE, Domain
from shaderdsl.testing.devices import UNCAPPED, excess
from shaderdsl.testing.near import Near
from shaderdsl.testing.rounding import bounds_of

COUNT = 500
RELATIVE = 1e-5
GROWING: dict[str, float] = dict.fromkeys(
    ("exp", "exp2", "expm1", "exprel", "exprel_slope", "sinh", "cosh", "ldexp", "pow"), 2e-5
)
"""Where the specification allows a place more for each half step of the argument, which is up to 60."""
ABSOLUTE = {"log": 5e-7, "log2": 5e-7, "mix": 2e-4, "fma": 1e-3, "tan": 5e-4}
"""Of the bound, where results cancel or the builtin has an absolute one, on the points below."""
NARROW = {"acos": (-1, 1), "asin": (-1, 1), "atanh": (-0.99, 0.99), "acosh": (1, 50)}
POSITIVE = ("log", "log2", "sqrt", "rsqrt")
TRUNCATED = "quantize_to_f16"
"""Devices may round halves either way."""
NAMES = [f.name for f in TABLE if f.domain in (Domain.FLOAT, Domain.NUMERIC) and f.name != TRUNCATED]
ENDS = np.array([0, 1e-30, -1e-30, 1e-3, -1e-3, 1, -1, 20, -20, 88, -88, 89, -89, 1e4, -1e4], np.float32)
BOUNDED = (
    "sigmoid",
    "silu",
    "softplus",
    "gelu",
    "tanh",
    "relu",
    "sinh",
    "cosh",
    "atan",
    "asinh",
    "exp",
    "abs",
    "expm1",
    "exprel",
    "exprel_slope",
    "gelu_slope",
    "tan",
    "sin",
    "cos",
)


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


def share(found: np.ndarray, call: Op, given: dict[str, np.ndarray]) -> float:
    """The largest error over what is allowed, over what f32 holds."""
    bound = bounds_of(call.spec, given)["o"]
    held = np.abs(bound.value) < 3.4e38
    inside = Near(
        bound.value[held],
        np.broadcast_to(bound.spread, held.shape)[held],
        np.broadcast_to(bound.fresh, held.shape)[held],
    )
    return excess(found[held], inside, UNCAPPED)


@pytest.mark.parametrize("name", NAMES)
def test_ordinary_points(name: str, executor_name: str) -> None:
    arity = FUNCTIONS[name].arity
    call = op("called", f"o[i] = {name}({', '.join(f'{v}[i]' for v in 'xyz'[:arity])})")
    given = points(name, arity)
    assert share(call(**given, device=executor_name), call, given) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_what_is_allowed_is_small(name: str) -> None:
    arity = FUNCTIONS[name].arity
    call = op("called", f"o[i] = {name}({', '.join(f'{v}[i]' for v in 'xyz'[:arity])})")
    bound = bounds_of(call.spec, points(name, arity))["o"]
    allowed = GROWING.get(name, RELATIVE) * np.abs(bound.value) + ABSOLUTE.get(name, 1e-6)
    held = np.isfinite(bound.value)
    assert np.max(bound.error[held] / allowed[held]) <= 1


@pytest.mark.parametrize("name", BOUNDED)
def test_the_ends_of_the_range(name: str, executor_name: str) -> None:
    call = op("called", f"o[i] = {name}(x[i])")
    assert share(call(ENDS, device=executor_name), call, {"x": ENDS}) <= 1


SMALLEST = 1.2e-38
"""Below it devices may flush to zero."""
CANCELLING = {"expm1": 8, "log1p": 5, "exprel": 14, "exprel_slope": 24, "softplus": 8}
"""Functions that cancel as they are usually written, and the most last places that any device is off: those of its exp."""


def places(found: np.ndarray, call: Op, x: np.ndarray) -> float:
    """The largest error in last places of float32, over what it holds without subnormal numbers."""
    true = np.asarray(call.reference(x.astype(np.float64)))
    held = (np.abs(true) > SMALLEST) & (np.abs(true) < 3.4e38)
    off = np.abs(found[held].astype(np.float64) - true[held])
    return float(np.max(off / np.spacing(np.abs(true[held]).astype(np.float32))))


@pytest.mark.parametrize("name", CANCELLING)
def test_near_zero_few_places_are_off(name: str, executor_name: str) -> None:
    small = np.geomspace(1e-30, 1, 500)
    edges = [e + np.linspace(-1e-3, 1e-3, 101) for e in (-1, -0.5, 0.5, 1)]
    x = np.concatenate([np.linspace(-0.999, 2, 20_001), small, -small * 0.99, *edges]).astype(np.float32)
    call = op("called", f"o[i] = {name}(x[i])")
    x = x[x > -0.9999]
    assert places(call(x, device=executor_name), call, x) <= CANCELLING[name]


TAILS = {"sigmoid": 87.3, "silu": 91.8, "softplus": 87.3, "silu_slope": 91.8, "exprel": 1e30, "exprel_slope": 1e19}


@pytest.mark.parametrize("name", TAILS)
def test_tails_end_where_float32_does(name: str, executor_name: str) -> None:
    """exp may be off by two places for each unit of its argument, and no more."""
    x = -np.geomspace(2, TAILS[name], 2_000).astype(np.float32)
    call = op("called", f"o[i] = {name}(x[i])")
    assert places(call(x, device=executor_name), call, x) <= 200


@pytest.mark.parametrize("name", ["expm1", "exprel", "exprel_slope", "silu_slope", "gelu_slope", "log1p"])
def test_infinities_and_nan(name: str) -> None:
    x = np.array([np.inf, -np.inf, np.nan], np.float32)
    call = op("called", f"o[i] = {name}(x[i])")
    limits = {
        "expm1": [np.inf, -1],
        "exprel": [np.inf, 0],
        "exprel_slope": [np.inf, 0],
        "silu_slope": [np.nan, np.nan],
        "gelu_slope": [1, 0],
        "log1p": [np.inf, np.nan],
    }
    np.testing.assert_array_equal(call(x, device="interpreter"), [*limits[name], np.nan])


def test_a_cancelling_function_is_found() -> None:
    call = op("called", "o[i] = exprel(x[i])")
    x = np.geomspace(1e-6, 0.5, 500).astype(np.float32)
    naive = op("naive", "o[i] = (exp(x[i]) - 1) / x[i]")
    assert places(naive(x, device="interpreter"), call, x) > 1000


def test_a_wrong_function_is_found() -> None:
    call, right = op("called", "o[i] = exp(x[i]) * 1.00001"), op("right", "o[i] = exp(x[i])")
    given = {"x": np.linspace(-3, 3, 20).astype(np.float32)}
    assert share(call(**given, device="interpreter"), right, given) > 1
