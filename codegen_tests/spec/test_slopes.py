"""Slopes of every function by every argument, held to central differences in float64; what they are at kinks, at 0 and behind guards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shaderdsl.errors import SpecError
from shaderdsl.operation import op
from shaderdsl.spec.functions import FUNCTIONS, TABLE, Domain
from shaderdsl.spec.real import Term, sympy
from shaderdsl.spec.slopes import Exprel, ExprelSlope

REFUSED = {"ceil", "floor", "fract", "quantize_to_f16", "round", "sign", "step", "trunc"}
"""Steps, and numbers cut off: a slope of 0 almost everywhere would be a gradient that is lost in silence."""
DECLARED = {"straight_through"}
"""Its slope is what the user says."""
SMOOTH = [f.name for f in TABLE if f.domain in (Domain.FLOAT, Domain.NUMERIC) and f.name not in REFUSED | DECLARED]
POINTS: dict[str, tuple[list[float], ...]] = {
    "acosh": ([1.25, 2.5, 7.0],),
    "atan2": ([0.5, -2.0, 0.25], [1.5, -0.75, -2.0]),
    "clamp": ([0.5, -2.0, 4.0], [-1.0, -1.0, -1.0], [3.0, 3.0, 3.0]),
    "pow": ([0.5, 2.0, 3.5], [2.5, -1.5, 3.0]),
    "smoothstep": ([-1.0, -1.0, -1.0], [3.0, 3.0, 3.0], [0.25, 2.5, 5.0]),
}
POSITIVE = {"log", "log2", "sqrt", "rsqrt"}
STEP = 1e-6


def points(name: str) -> list[Any]:
    plain: tuple[list[float], ...] = ([0.25, -0.5, 0.625], [0.75, 0.125, -0.375], [0.5, 0.25, 0.875])
    found = POINTS.get(name, plain[: FUNCTIONS[name].arity])
    return [np.abs(p) if name in POSITIVE else np.array(p) for p in found]


def called(name: str) -> Any:
    arity = FUNCTIONS[name].arity
    return op("called", f"y[i] = {name}({', '.join(f'{v}[i]' for v in 'abc'[:arity])})")


def off(name: str) -> float:
    """The largest error of a slope by any argument, in itself."""
    call, given = called(name), dict(zip("abc", points(name)))
    slopes = call.vjp.reference(**given, d_y=np.ones(3))
    worst = 0.0
    for argument in given:
        ends: list[Any] = [call.reference(**given | {argument: given[argument] + s}) for s in (STEP, -STEP)]
        true = (ends[0] - ends[1]) / (2 * STEP)
        worst = max(worst, float(np.max(np.abs(slopes[argument] - true) / (1 + np.abs(true)))))
    return worst


@pytest.mark.parametrize("name", SMOOTH)
def test_slopes_are_those_of_differences(name: str) -> None:
    assert off(name) < 1e-8


def test_a_wrong_slope_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def nearly(_: Term, x: Term) -> Term:
        return sympy.Float(1.001) * ExprelSlope(x)

    monkeypatch.setattr(Exprel, "slope", nearly)
    assert off("exprel") > 1e-6


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_steps_are_refused(name: str) -> None:
    with pytest.raises(SpecError, match=f"{name} has no derivative"):
        _ = called(name).vjp.formula


INF = float("inf")
CONVENTIONS: list[tuple[str, dict[str, float], dict[str, float]]] = [
    ("abs(a[i])", {"a": 0}, {"a": 0}),
    ("relu(a[i])", {"a": 0}, {"a": 0}),
    ("length(a[i])", {"a": 0}, {"a": 0}),
    ("distance(a[i], b[i])", {"a": 2, "b": 2}, {"a": 0, "b": 0}),
    ("max(a[i], b[i])", {"a": 2, "b": 2}, {"a": 1, "b": 0}),
    ("min(a[i], b[i])", {"a": 2, "b": 2}, {"a": 1, "b": 0}),
    ("clamp(a[i], b[i], c[i])", {"a": 1, "b": 1, "c": 3}, {"a": 1, "b": 0, "c": 0}),
    ("clamp(a[i], b[i], c[i])", {"a": 3, "b": 1, "c": 3}, {"a": 1, "b": 0, "c": 0}),
    ("saturate(a[i])", {"a": 1}, {"a": 1}),
    ("smoothstep(b[i], c[i], a[i])", {"a": 7, "b": 0, "c": 2}, {"a": 0, "b": 0, "c": 0}),
    ("atan2(a[i], b[i])", {"a": 0, "b": 0}, {"a": 0, "b": 0}),
    ("atan2(a[i], b[i])", {"a": 0, "b": 2}, {"a": 0.5, "b": 0}),
    ("atan2(a[i], b[i])", {"a": 2, "b": 0}, {"a": 0, "b": -0.5}),
    ("atan2(a[i], b[i])", {"a": 1e-30, "b": 1e-30}, {"a": 5e29, "b": -5e29}),
    ("pow(a[i], b[i])", {"a": -2, "b": 3}, {"a": 12, "b": 0}),
    ("pow(a[i], b[i])", {"a": 0, "b": 2}, {"a": 0, "b": 0}),
    ("pow(a[i], b[i])", {"a": 0, "b": 1}, {"a": 1, "b": 0}),
    ("pow(a[i], b[i])", {"a": 0, "b": 0}, {"a": 0, "b": 0}),
    ("a[i] ** 2", {"a": 0}, {"a": 0}),
    ("a[i] ** 0.5", {"a": 0}, {"a": INF}),
    ("sqrt(a[i])", {"a": 0}, {"a": INF}),
    ("log(a[i])", {"a": 0}, {"a": INF}),
    ("where(a[i] > 0, log(a[i]), 0)", {"a": -1}, {"a": 0}),
    ("where(a[i] > 0, log(a[i]), 0)", {"a": 0}, {"a": 0}),
    ("where(a[i] > 0, sqrt(a[i]), 0)", {"a": 0}, {"a": 0}),
    ("where(a[i] > 0, rsqrt(a[i]), a[i])", {"a": 0}, {"a": 1}),
    ("where(b[i] != 0, a[i] / b[i], 0)", {"a": 3, "b": 0}, {"a": 0, "b": 0}),
    ("where(a[i] > 0, a[i] ** 1.5, 0)", {"a": -1}, {"a": 0}),
    ("where(a[i] < 1, atanh(a[i]), 0)", {"a": 1}, {"a": 0}),
]


@pytest.mark.parametrize(("formula", "at", "slopes"), CONVENTIONS)
def test_conventions(formula: str, at: dict[str, float], slopes: dict[str, float], executor_name: str) -> None:
    given = {n: np.array([v], np.float32) for n, v in at.items()}
    found: Any = op("kink", f"y[i] = {formula}").vjp(**given, d_y=np.ones(1, np.float32), device=executor_name)
    for name, slope in slopes.items():
        np.testing.assert_allclose(found[name], [slope], rtol=1e-5, err_msg=name)


GUARDED = [
    ("l[i] = log(x[i])\ny[i] = where(x[i] > 0, l[i], 0)", -1.0, 0.0),
    ("l[i] = log(x[i])\ny[i] = where(x[i] > 0, l[i], 0)", 0.0, 0.0),
    ("r[i] = sqrt(x[i])\ny[i] = where(x[i] > 0, r[i], x[i])", -1.0, 1.0),
    ("r[i] = sqrt(x[i])\ny[i] = where(x[i] >= -2, where(x[i] > 0, r[i], 3 * x[i]), 0)", -1.0, 3.0),
    ("q[i] = 1 / x[i]\ny[i] = where(x[i] != 0, q[i], 0)", 0.0, 0.0),
    ("e[i] = exp(x[i])\ny[i] = where(x[i] < 80, e[i], 0)", 1e4, 0.0),
]


@pytest.mark.parametrize(("formula", "at", "slope"), GUARDED)
def test_guards_hold_across_stages(formula: str, at: float, slope: float, executor_name: str) -> None:
    gradients: Any = op("guarded", formula).vjp(
        x=np.array([at], np.float32), d_y=np.ones(1, np.float32), device=executor_name
    )
    np.testing.assert_array_equal(gradients["x"], [slope])


@pytest.mark.parametrize(
    "name", ["exprel", "exprel_slope", "silu", "silu_slope", "gelu", "gelu_slope", "tanh", "asinh"]
)
def test_second_slopes(name: str) -> None:
    x = np.array([-20.0, -3.0, -0.75, -0.25, 0.0, 0.25, 0.75, 3.0, 20.0])
    first = called(name).vjp
    found: Any = first.vjp.reference(a=x, d_y=np.ones(9), d_d_a=np.ones(9))["a"]
    ends: list[Any] = [first.reference(a=x + s, d_y=np.ones(9))["a"] for s in (STEP, -STEP)]
    true = (ends[0] - ends[1]) / (2 * STEP)
    np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-8)
