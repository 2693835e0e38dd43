"""`stop_gradient(x, because="..")`: the reason stays in the tree, in the text, in derivatives, and in what is skipped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl.graph.grad import noting_skips
from shaderdsl.spec.notation import Function, OpSpec
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.rewrite import subscalars

DISTIL = """given x[i], t[i], k[i]: i32, scale
s[i] = exp(stop_gradient(t[i] * x[i], because="the teacher's # fixed")) * x[i]
q[i] = straight_through(round(x[i]), as=x[i]) * k[i]
y[i] = s[i] ** 2 * scale + stop_gradient(t[i], because='say "why"') + stop_gradient(x[i]) + q[i]"""
distil = sd.op("distil", DISTIL)


def reasons(spec: OpSpec) -> list[str]:
    scalars = [s for stage in spec.stages for v in stage.values for s in subscalars(v)]
    return [s.because for s in scalars if isinstance(s, Function) and s.name == "stop_gradient"]


def test_a_reason_is_in_the_tree_and_in_the_text() -> None:
    spec = parse_spec("distil", DISTIL)
    assert reasons(spec) == ["the teacher's # fixed", 'say "why"', ""]
    assert format_spec(spec) == DISTIL
    assert parse_spec("distil", format_spec(spec)) == spec


def test_a_reason_stays_in_derivatives() -> None:
    assert "the teacher's # fixed" in reasons(distil.vjp.spec)
    assert "the teacher's # fixed" in reasons(distil.jvp.spec)
    assert parse_spec("again", distil.vjp.formula).stages == distil.vjp.spec.stages


def test_a_reason_stays_in_a_called_formula() -> None:
    calling = sd.op("calling", "z = distil(x, t, k, 2.0)", library={"distil": distil})
    assert reasons(calling.spec) == reasons(distil.spec)


def test_what_is_skipped_is_listed_with_the_reason() -> None:
    assert [str(s) for s in distil.skipped] == [
        "k: whole numbers have no gradient",
        "scale: gradients are for tensors",
        "s: stop_gradient(t[i] * x[i]): the teacher's # fixed",
        "q: round(x[i]): x[i] has its gradient",
        'y: stop_gradient(t[i]): say "why"',
        "y: stop_gradient(x[i]): by the formula's word",
    ]
    assert [
        str(s) for s in sd.op("at", "given x[i], t: i32\nm[i] = x[i] > 0\ny[i] = where(m[i], x[i], 0)").skipped
    ] == [
        "t: gradients are for tensors",
        "m: conditions have no gradient",
    ]
    assert sd.op("plain", "y[i] = x[i] ** 2").skipped == ()


def test_it_runs_and_stops_the_gradient(executor_name: str) -> None:
    x = {"x": np.array([0.5, 1.5]), "t": np.array([1.0, 2.0]), "k": np.array([1, 2]), "scale": 0.5}
    np.testing.assert_allclose(distil(**x, device=executor_name), distil.reference(**x), rtol=1e-5)
    found = distil.vjp(**x, d_y=np.ones(2), device=executor_name)
    np.testing.assert_array_equal(found["t"], [0, 0])
    np.testing.assert_allclose(found["x"], np.exp(x["t"] * x["x"]) ** 2 * x["x"] + x["k"], rtol=1e-5)


@pytest.mark.parametrize("device", [None, "interpreter"])
def test_gradcheck_holds_it_fast(device: str | None) -> None:
    assert sd.gradcheck(distil, device=device).ok


def test_a_plan_lists_the_reason_with_what_it_skips() -> None:
    total = sd.op("total", 's = sum(i) (x[i] - stop_gradient(t[i], because="the teacher is fixed")) ** 2')

    def step(x: Any, t: Any) -> Any:
        with noting_skips() as found:
            gradient = sd.grad(total(x=x, t=t), x)
        skips.extend(found)
        return gradient

    skips: list[Any] = []
    x, t = np.ones(3, np.float32), np.zeros(3, np.float32)
    np.testing.assert_array_equal(sd.compile(step)(x, t), np.full(3, 2.0))
    assert [(s.tensor, s.op, s.reason) for s in skips] == [("stop_gradient(t[i])", "total", "the teacher is fixed")]
