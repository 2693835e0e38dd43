"""`stop_gradient` and `straight_through`: the truth follows the stated convention, and a backward that does not is caught."""

from __future__ import annotations

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.testing.conventions import held

RIGHT = {
    "quantised": "y[i] = straight_through(round(x[i]), as=x[i])",
    "quantised rows": "m[i] = max(j) abs(x[i, j])\ns[i] = stop_gradient(m[i])\n"
    "y[i, j] = s[i] / 127 * straight_through(round(x[i, j] / s[i] * 127), as=x[i, j] / s[i] * 127)",
    "softmax by a stopped maximum": "m[i] = max(j) x[i, j]\ne[i, j] = exp(x[i, j] - stop_gradient(m[i]))\n"
    "s[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]",
    "a weight of its own": "y[i] = stop_gradient(x[i]) * x[i]",
    "a soft sign": "y[i] = straight_through(sign(x[i]), as=tanh(x[i])) * x[i]",
    "nested": "y[i] = straight_through(floor(stop_gradient(x[i]) * x[i]), as=x[i] * stop_gradient(x[i]) ** 2) + z[i]",
    "a stopped step": "h[t] = scan(t) stop_gradient(h[t - 1]) * a[t] + x[t]",
    "a rounded step": "h[b, t] = scan(t, start=h0[b]) straight_through(round(h[b, t - 1]), as=h[b, t - 1]) * a[t] + x[b, t]",
    "a stopped row": "p[i] = sum(j) stop_gradient(x[i, j]) * w[j]\ny[i] = p[i] * exp(-stop_gradient(p[i]))",
}
WRONG = {
    "flows through a stop": ("y[i] = stop_gradient(x[i]) * x[i]", "given x[i], d_y[i]\nd_x[i] = 2 * x[i] * d_y[i]"),
    "stops everywhere": ("y[i] = stop_gradient(x[i]) * x[i]", "given x[i], d_y[i]\nd_x[i] = 0 * x[i] * d_y[i]"),
    "is that of the value": (
        "y[i] = straight_through(x[i] ** 2, as=x[i])",
        "given x[i], d_y[i]\nd_x[i] = 2 * x[i] * d_y[i]",
    ),
    "is zero, as of a step": (
        "y[i] = straight_through(round(x[i]), as=x[i])",
        "given x[i], d_y[i]\nd_x[i] = 0 * x[i] * d_y[i]",
    ),
    "carries on": (
        "h[t] = scan(t) stop_gradient(h[t - 1]) * 0.5 + x[t]",
        "given x[t], d_h[t]\nd_x[t] = scan(t) d_h[t] + 0.5 * d_x[t + 1] + 0 * x[t]",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_convention_is_the_truth(name: str) -> None:
    report = sd.gradcheck(sd.op("f", RIGHT[name]))
    assert report.ok, str(report)


@pytest.mark.parametrize("name", WRONG)
def test_another_gradient_is_caught(name: str) -> None:
    formula, backward = WRONG[name]
    report = sd.gradcheck(sd.op("f", formula), backward=sd.op("g", backward))
    assert any("complex step" in f for f in report.failures)
    assert any("central differences" in f for f in report.failures)


def test_what_is_held_reads_the_base() -> None:
    moving = held(parse_spec("f", "y[i] = stop_gradient(x[i]) * x[i]"))
    assert format_spec(moving.spec).splitlines()[-1] == "y[i] = base_x[i] * x[i]"
    assert moving.base == {"x": "base_x"}
    x = np.ones(3)
    assert moving.at({"x": x}) == {"x": x, "base_x": x}


def test_other_formulas_stay() -> None:
    spec = parse_spec("f", "y[i] = exp(x[i])")
    assert held(spec).spec is spec
