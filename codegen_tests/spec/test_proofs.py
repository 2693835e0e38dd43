"""What is proved to vanish, and forms that may not be taken because they would take a guard away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shaderdsl.operation import op
from shaderdsl.spec.derive import raw_vjp, vjp
from shaderdsl.spec.dtypes import differentiable
from shaderdsl.spec.equal_axes import with_axis_names
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.proofs import proved_zero

SOFTMAX = """
z[i, j] = {z}
m[i] = max(j) z[i, j]
e[i, j] = exp(z[i, j] - {m})
s[i] = sum(j) e[i, j] * {w}
y[i, j] = e[i, j] * {w} / {s}
"""


def softmax(z: str = "x[i, j]", m: str = "m[i]", w: str = "1", s: str = "s[i]") -> str:
    return SOFTMAX.format(z=z, m=m, w=w, s=s)


def zero(formula: str) -> frozenset[str]:
    spec = with_axis_names(parse_spec("peak", formula))
    return proved_zero(raw_vjp(spec, differentiable(spec)), len(spec.stages), spec.outputs)


@pytest.mark.parametrize(
    "formula",
    [
        softmax(),
        softmax(z="x[i, j] / tau"),
        softmax(z="where(j <= i, x[i, j], -1e30)", w="where(j <= i, 1, 0)"),
        softmax(w="w[j] ** 2"),
        softmax(z="where(keep[j] != 0 and j <= i, x[i, j], -1e30)", w="where(keep[j] != 0 and j <= i, 1, 0)"),
        "m[i] = max(j) x[i, j]\ns[i] = sum(j) exp(x[i, j] - m[i])\ny[i] = m[i] + log(s[i])",
        "m[i] = min(j) x[i, j]\ns[i] = sum(j) exp(m[i] - x[i, j])\ny[i] = m[i] - log(s[i])",
        """
        m[t] = max(u) x[t, u]
        e[t, u] = exp(x[t, u] - m[t])
        l[t] = sum(u) e[t, u]
        n[t, c] = sum(u) e[t, u] * v[u, c]
        y[t, c] = n[t, c] / l[t]
        """,
        """
        top[t] = max(u) x[t, u]
        m[t] = max(top[t], sink)
        e[t, u] = exp(x[t, u] - m[t])
        l[t] = sum(u) e[t, u]
        y[t, u] = e[t, u] / (l[t] + exp(sink - m[t]))
        """,
    ],
)
def test_no_gradient_flows_into_a_maximum_that_is_taken_away(formula: str) -> None:
    assert "d_m" in zero(formula)
    assert "ties" not in format_spec(vjp(parse_spec("peak", formula)))


@pytest.mark.parametrize(
    "formula",
    [softmax(s="(s[i] + m[i])"), softmax(s="(s[i] + 1)"), "m[i] = max(j) x[i, j]\ny[i, j] = x[i, j] - m[i]"],
)
def test_one_that_matters_is_not_proved_away(formula: str) -> None:
    assert "d_m" not in zero(formula)


def gradients(formula: str, **arguments: Any) -> Any:
    return op("guarded", formula).vjp.reference(**{k: np.asarray(v) for k, v in arguments.items()})


def test_a_division_keeps_its_guard() -> None:
    """Nothing is chosen, so nothing is divided by the 0; taken out of the sum, 0 / 0 would be left."""
    formula = "given a[i], s[], keep[i]: i32\ny = sum(i) where(keep[i] != 0, a[i] / s, 0)"
    found = gradients(formula, a=[1.0, 2.0], s=0.0, keep=[0, 0], d_y=1.0)
    np.testing.assert_array_equal(found["a"], [0, 0])
    np.testing.assert_array_equal(found["s"], 0)


def test_a_row_without_any_element_has_no_gradient() -> None:
    spec = """
    given x[i, j], mask[i, j]: i32
    z[i, j] = where(mask[i, j] != 0, x[i, j], -1e30)
    m[i] = max(j) z[i, j]
    e[i, j] = where(mask[i, j] != 0, exp(z[i, j] - m[i]), 0)
    s[i] = sum(j) e[i, j]
    y[i, j] = where(mask[i, j] != 0, {}, 0)
    """
    for last in ("e[i, j] / s[i]", "x[i, j] - m[i] - log(s[i])"):
        found = gradients(spec.format(last), x=np.ones((1, 3)), mask=np.zeros((1, 3), np.int32), d_y=np.ones((1, 3)))
        np.testing.assert_array_equal(found["x"], np.zeros((1, 3)))


def test_guards_of_two_terms_stay_apart() -> None:
    formula = "given x[i], s[i], a[i]: i32, b[i]: i32\ny[i] = where(a[i] != 0, x[i] / s[i], 0) + where(b[i] != 0, x[i] / s[i], 0)"
    found = gradients(formula, x=[1.0], s=[0.0], a=[0], b=[0], d_y=[1.0])
    np.testing.assert_array_equal(found["x"], [0])
