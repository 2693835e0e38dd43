"""Derived bounds of a device's errors: right for 1,000 draws of every op, within 100 times the worst, and small for long sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.ops.library import DEFINITIONS, case
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F32
from shaderdsl.numeric.accuracy import interval
from shaderdsl.operation import of_spec
from shaderdsl.spec.functions import FUNCTIONS
from shaderdsl.spec.parse import parse_spec
from shaderdsl.testing import draws
from shaderdsl.testing.devices import allowance, excess
from shaderdsl.testing.draws import over_draws, tight_checks
from shaderdsl.testing.near import Near, exactly
from shaderdsl.testing.near_forms import call_form
from shaderdsl.testing.rounding import bounds_of

EVERYWHERE = ("softmax", "layer_norm", "attention", "selective_scan", "log", "tanh", "matmul", "cross_entropy")
LONG = {
    "sum": "y[i] = sum(j) x[i, j]",
    "mean": "y[i] = mean(j) x[i, j]",
    "dot": "y[i] = sum(j) x[i, j] * w[j]",
    "norm": "n[i] = sum(j) x[i, j] ** 2\ny[i, j] = x[i, j] * rsqrt(n[i] / size(j) + 1e-6)",
    "softmax": "m[i] = max(j) x[i, j]\ne[i, j] = exp(x[i, j] - m[i])\ns[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]",
}


def assert_tight(name: str, device: str) -> None:
    spec, hints = case(name)
    checks = tight_checks(of_spec, spec, hints, device)
    assert [str(c) for c in checks if not c.ok] == []


@pytest.mark.parametrize("name", DEFINITIONS)
def test_the_bound_is_right_and_tight(name: str) -> None:
    assert_tight(name, "wgpu")


@pytest.mark.parametrize("device", ["interpreter", "dawn"])
@pytest.mark.parametrize("name", EVERYWHERE)
def test_everywhere(name: str, device: str) -> None:
    assert_tight(name, device)


@pytest.mark.parametrize(("factor", "failing"), [(1e3, "looseness"), (1e-3, "draws")])
def test_another_bound_fails(factor: float, failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(*arguments: Any) -> dict[str, Near]:
        found = bounds_of(*arguments)
        return {n: Near(b.value, factor * b.spread, factor * b.fresh) for n, b in found.items()}

    monkeypatch.setattr(draws, "bounds_of", other)
    spec, hints = case("softmax")
    failed = [c.name for c in tight_checks(of_spec, spec, hints, "interpreter", 100) if not c.ok]
    assert len(failed) == 2
    assert all(failing in name for name in failed)


@pytest.mark.parametrize("name", LONG)
def test_4096_terms_stay_below_1e_5_of_the_row(name: str, executor_name: str) -> None:
    operation = sd.op(name, LONG[name])
    random = np.random.default_rng(0)
    given: dict[str, Any] = {"x": random.normal(size=(3, 4096)).astype(np.float32)}
    if name == "dot":
        given["w"] = random.normal(size=4096).astype(np.float32)
    bound = bounds_of(operation.spec, given)["y"]
    assert excess(operation(**given, device=executor_name), bound) <= 1
    rows = np.atleast_2d(bound.value)
    assert np.max(np.atleast_2d(bound.error) / np.linalg.norm(rows, axis=-1, keepdims=True)) <= 1e-5


@pytest.mark.parametrize("name", ["exp", "log", "rsqrt", "sqrt", "log2", "exp2"])
def test_a_builtin_has_the_specifications_interval(name: str) -> None:
    x = np.linspace(0.1, 30, 200).astype(np.float32)
    low, high = interval(Builtin(FUNCTIONS[name].builtin), (x,), F32)
    found = call_form(name, [exactly(x.astype(np.float64))])
    exact = FUNCTIONS[name].meaning(x.astype(np.float64))
    np.testing.assert_allclose(found.error, np.maximum(high - exact, exact - low), rtol=1e-6)


@pytest.mark.parametrize(
    ("formula", "op"), [("a[i] + b[i]", BinaryOp.ADD), ("a[i] * b[i]", BinaryOp.MUL), ("a[i] / b[i]", BinaryOp.DIV)]
)
def test_an_operation_covers_the_specifications_interval(formula: str, op: BinaryOp) -> None:
    random = np.random.default_rng(0)
    a, b = (random.normal(size=300).astype(np.float32) for _ in range(2))
    bound = bounds_of(parse_spec("f", f"y[i] = {formula}"), {"a": a, "b": b})["y"]
    low, high = interval(op, (a, b), F32)
    assert (low <= bound.value + bound.error).all()
    # The interval ends on the grid: where half a last place is allowed, up to a whole one more.
    last = np.spacing(np.abs(bound.value).astype(np.float32))
    assert (np.abs(np.maximum(high - bound.value, bound.value - low) - bound.error) <= last).all()


def test_errors_go_through() -> None:
    spec = parse_spec("f", "a[i] = x[i] * 3\nb[i] = exp(10 * a[i])\nc[i] = b[i] - b[i] * 0.999")
    bound = bounds_of(spec, {"x": np.array([0.1], np.float32)})
    assert bound["b"].error[0] / bound["b"].value[0] > 3 * bound["a"].error[0] / bound["a"].value[0]
    assert bound["c"].error[0] / bound["c"].value[0] > 500 * bound["b"].error[0] / bound["b"].value[0]


def test_nothing_is_promised_for_what_f32_does_not_hold() -> None:
    bound = bounds_of(parse_spec("f", "y[i] = exp(x[i])\nz[i] = 1 / x[i]"), {"x": np.array([0.0, 100.0, 1.0])})
    assert np.isinf(bound["y"].error).tolist() == [False, True, False]
    assert np.isinf(bound["z"].error).tolist() == [True, False, False]


def test_a_near_miss_may_go_either_way() -> None:
    spec = parse_spec("f", "a[i] = x[i] / 3\ny[i] = where(a[i] < z[i], 1.0, 2.0)")
    x, z = np.array([1.0, 1.0]), np.array([np.float32(1 / 3), 0.5])
    assert bounds_of(spec, {"x": x, "z": z})["y"].error.tolist() == [1.0, 0.0]


def test_whole_numbers_and_copies_are_exact() -> None:
    bound = bounds_of(
        parse_spec("f", "given x[i]\nn[i < size(i)] = i * 3\ny[i] = x[i] + 0\nz[i] = x[i] * n[i]"), {"x": np.ones(4)}
    )
    assert not bound["n"].error.any()
    assert not bound["y"].error.any()
    assert not bound["z"].error.any()


def test_never_above_the_limit() -> None:
    loose = Near(np.ones((2, 4)), np.full((2, 4), 1.0), np.zeros((2, 4)))
    np.testing.assert_allclose(allowance(loose), 2e-5)
    assert excess(np.ones((2, 3)), loose) == float("inf")
    assert excess(np.full((2, 4), np.nan), loose) == float("inf")


def test_draws_are_independent() -> None:
    spec = over_draws(parse_spec("f", "m[i] = max(j) x[i, j]\ny[i, j] = x[i, j] - m[i]"))
    x = np.random.default_rng(0).normal(size=(7, 2, 3))
    found = bounds_of(spec, {"x": x})["y"]
    np.testing.assert_allclose(found.value, x - x.max(-1, keepdims=True))
