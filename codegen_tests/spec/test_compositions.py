"""Functions of functions, f(g(x)): the derived slope is finite and right in float32 wherever the exact one is representable.

One limit is left: where the inner value, its slope or the outer slope is itself no float32, as in atan(exp(88)), a product that is one may be lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codegen_tests.spec.compositions import INNER, POINTS, PRODUCTS, ROWS, wrong
from shaderdsl.operation import op
from shaderdsl.spec.functions import TABLE, Domain

JUMPING = {"ceil", "floor", "fract", "round", "sign", "step", "trunc", "quantize_to_f16"}
"""Refused: they have no derivative."""
ELSEWHERE = {"length", "radians", "silu_slope", "gelu_slope"}
"""As abs and degrees; slopes are held to their functions below, as slopes."""
FLUSHED = {
    ("dawn", "(@) ** 2", "exp(@)"),
    ("dawn", "(@) ** 2", "sigmoid(@)"),
    ("dawn", "(@) ** 2", "1 / (1 + exp(-(@)))"),
}
"""At -44 a square is subnormal there, which this device takes for 0; the slope is just not."""


def composed(outer: str, inner: str) -> str:
    return f"y[i] = {outer.replace('@', inner.replace('@', 'x[i]'))}"


def derived(formula: str, executor: str) -> Any:
    gradients: Any = op("composed", formula).vjp(x=POINTS, d_y=np.ones_like(POINTS), device=executor)
    return gradients["x"]


def failures(outer: str, inner: str, executor: str) -> list[Any]:
    """Where the slope is wrong though float32 holds all that it is made of."""
    found = derived(composed(outer, inner), executor)
    return [place for place in wrong(found, ROWS[outer], ROWS[inner]) if not place[-1]]


def test_every_function_of_numbers_is_composed() -> None:
    smooth = {f.name for f in TABLE if f.domain is Domain.FLOAT or f.domain is Domain.NUMERIC} - JUMPING - ELSEWHERE
    assert {n for n in smooth if not any(f"{n}(" in row for row in ROWS)} == {"straight_through"}


@pytest.mark.slow
@pytest.mark.parametrize("outer", ROWS)
def test_slopes_of_compositions(outer: str) -> None:
    found = {inner: failures(outer, inner, "interpreter") for inner in ROWS}
    assert {inner: places for inner, places in found.items() if places} == {}


ENDS = {(executor, "(@) * exp(-(@))"): [88.0, 89.0] for executor in ("wgpu", "dawn")}
"""exp(-88) is subnormal, which devices take for 0: then so is the product."""
DEEP = ("exp(@)", "sigmoid(@)", "softplus(@)", "silu(@)", "log(1 + exp(@))")


@pytest.mark.parametrize("outer", ROWS)
def test_slopes_on_devices(outer: str, executor_name: str) -> None:
    inners = [i for i in (INNER, *DEEP) if (executor_name, outer, i) not in FLUSHED]
    found = {inner: failures(outer, inner, executor_name) for inner in inners}
    assert {inner: places for inner, places in found.items() if places} == {}


@pytest.mark.parametrize("row", PRODUCTS)
def test_slopes_of_products(row: str, executor_name: str) -> None:
    found = wrong(derived(composed(row, INNER), executor_name), PRODUCTS[row], ROWS[INNER])
    assert [x for x, *_ in found] == ENDS.get((executor_name, row), [])


NAIVE = {
    "tanh(@)": "1 - tanh(x[i]) ** 2",
    "log(1 + exp(@))": "exp(x[i]) / (1 + exp(x[i]))",
    "silu(@)": "1 / (1 + exp(-x[i])) + x[i] * exp(-x[i]) / (1 + exp(-x[i])) ** 2",
    "exprel(@)": "(x[i] * exp(x[i]) - exp(x[i]) + 1) / x[i] ** 2",
    "sigmoid(@)": "1 / (1 + exp(-x[i])) * (1 - 1 / (1 + exp(-x[i])))",
}


@pytest.mark.parametrize("row", NAIVE)
def test_the_textbooks_slopes_are_found_out(row: str) -> None:
    found = op("naive", f"y[i] = {NAIVE[row]}")(POINTS, device="interpreter")
    assert [place for place in wrong(found, ROWS[row], ROWS[INNER]) if not place[-1]] != []


@pytest.mark.parametrize(
    ("formula", "at", "slope"),
    [
        ("e[i] = exp(x[i])\ny[i] = exp(-e[i])", 89.0, 0.0),
        ("y[i] = exp(-exp(x[i]) * 0.001)", 89.0, 0.0),
        ("y[i] = exp(x[i]) * exp(-2 * x[i])", 89.0, -2.2e-39),
        ("y[i] = log(exp(x[i]))", 89.0, 1.0),
        ("y[i] = sqrt(exp(x[i]))", -89.0, 0.5 * np.exp(-44.5)),
        ("y[i] = 1 / exp(x[i])", 60.0, -np.exp(-60.0)),
        ("y[i] = sqrt(x[i] ** 2)", -2.0, -1.0),
        ("y[i] = pow(-x[i], 2.5)", 0.0, 0.0),
    ],
)
def test_what_would_be_zero_times_infinity(formula: str, at: float, slope: float, executor_name: str) -> None:
    x = np.array([at], np.float32)
    gradients: Any = op("merged", formula).vjp(x=x, d_y=np.ones(1, np.float32), device=executor_name)
    assert abs(float(gradients["x"][0]) - slope) <= 1e-5 * abs(slope) + 1.2e-38


@pytest.mark.parametrize(
    ("formula", "at", "slope"),
    [
        ("y[i] = softplus(x[i]) ** -1", -44.0, -np.exp(44.0)),
        ("y[i] = 1 / x[i]", 1e-19, -1e38),
        ("y[i] = a[i] / x[i]", 1e-25, -1e20),
        ("y[i] = a[i] / x[i] ** 3", 1e-15, -3e30),
        ("y[i] = exp(sqrt(x[i] * x[i] + 1))", 88.0, 88 / np.sqrt(7745.0) * np.exp(np.sqrt(7745.0))),
        ("s[i] = sqrt(x[i] * x[i] + 1)\ny[i] = exp(s[i])", 88.0, 88 / np.sqrt(7745.0) * np.exp(np.sqrt(7745.0))),
        ("y[i] = exp(x[i]) / x[i]", 88.0, np.exp(88.0) * 87 / 7744),
        ("y[i] = 1 / cosh(x[i])", 60.0, -1 / np.cosh(60.0)),
        ("y[i] = x[i] / (1 + abs(x[i]))", -1e4, 1 / 10001.0**2),
        ("y[i] = x[i] / (1 + abs(x[i]))", 1e15, 1e-30),
    ],
)
def test_what_is_representable_though_a_part_is_not(formula: str, at: float, slope: float, executor_name: str) -> None:
    """Squares under a bar, and products with an exp that is nearly infinite. a is 1e-30."""
    given = {"x": np.array([at], np.float32), "d_y": np.ones(1, np.float32)}
    given |= {"a": np.array([1e-30], np.float32)} if "a[i]" in formula else {}
    gradients: Any = op("parts", formula).vjp(**given, device=executor_name)
    assert abs(float(gradients["x"][0]) - slope) <= 1e-5 * abs(slope) * max(1.0, abs(at) if "exp" in formula else 1.0)
