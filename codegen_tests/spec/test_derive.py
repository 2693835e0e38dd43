"""Derived backwards: held to central differences, to forward mode, and to the textbook."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from codegen_tests.spec.differences import differences, outputs, relative
from codegen_tests.spec.formulas import FORMULAS
from shaderdsl.errors import SpecError
from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.forward import jvp
from shaderdsl.spec.leading import specialise
from shaderdsl.spec.notation import Number, Operation, Operator, OpSpec, Stage
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate

WITHOUT = {
    "quantised_rows": "i32 has no derivative",
    "straight_through": "its slope is declared, not that of its value",
}
TIGHT = 1e-6
SIZES = (1, 3, 5)


def drawn(name: str, size: int) -> tuple[OpSpec, dict[str, Any]]:
    """A formula at the ranks of drawn arguments."""
    case = FORMULAS[name]
    arguments = case.draw(np.random.default_rng(size), size)
    spec = parse_spec(name, case.formula)
    return specialise(spec, {k: np.ndim(v) for k, v in arguments.items()}), arguments


def gradients(spec: OpSpec, backward: OpSpec, arguments: dict[str, Any], weights: dict[str, Any]) -> dict[str, Any]:
    values = evaluate(backward, {**arguments, **{f"d_{o}": w for o, w in weights.items()}})
    return {n: values[o] for n, o in zip(differentiable(spec), backward.outputs)}


def weights_for(spec: OpSpec, arguments: dict[str, Any]) -> dict[str, Any]:
    random = np.random.default_rng(7)
    return {o: random.normal(size=np.shape(v)) for o, v in outputs(spec, arguments).items()}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", sorted(set(FORMULAS) - set(WITHOUT)))
def test_gradients_are_those_of_central_differences(name: str, size: int) -> None:
    spec, arguments = drawn(name, size)
    weights = weights_for(spec, arguments)
    found = gradients(spec, vjp(spec), arguments, weights)
    for argument, gradient in found.items():
        assert relative(gradient, differences(spec, arguments, argument, weights)) < TIGHT, argument


@pytest.mark.parametrize("name", sorted(set(FORMULAS) - set(WITHOUT)))
def test_forward_and_reverse_mode_agree(name: str) -> None:
    """<v, Jw> = <J'v, w>."""
    spec, arguments = drawn(name, 4)
    weights = weights_for(spec, arguments)
    random = np.random.default_rng(3)
    directions = {n: random.normal(size=np.shape(arguments[n])) for n in differentiable(spec)}
    forward = evaluate(jvp(spec), {**arguments, **{f"t_{n}": d for n, d in directions.items()}})
    backward = gradients(spec, vjp(spec), arguments, weights)
    left = sum((forward[f"t_{o}"] * w).sum() for o, w in weights.items() if f"t_{o}" in forward)
    right = sum((backward[n] * d).sum() for n, d in directions.items())
    assert abs(left - right) < 1e-9 * (1 + abs(left))


def test_a_wrong_backward_is_found() -> None:
    spec, arguments = drawn("rms_norm", 3)
    weights = weights_for(spec, arguments)
    backward = vjp(spec)
    last = backward.stages[-1]
    wrong = Stage(last.targets, last.how, tuple(Operation(Operator.MUL, (v, Number(1.001))) for v in last.values))
    found = gradients(spec, replace(backward, stages=(*backward.stages[:-1], wrong)), arguments, weights)
    name = differentiable(spec)[backward.outputs.index(last.targets[0].name)]
    assert relative(found[name], differences(spec, arguments, name, weights)) > TIGHT


def backward_of(formula: str) -> str:
    spec = parse_spec("op", formula)
    forward = {t.name for s in spec.stages for t in s.targets}
    lines = format_spec(vjp(spec)).splitlines()
    return "\n".join(line for line in lines if line.split("[")[0].split(" ")[0] not in forward | {"given"})


SOFTMAX = "m[i] = max(j) x[i, j]\ne[i, j] = exp(x[i, j] - m[i])\ns[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]"
TEXTBOOK = {
    SOFTMAX: "p[i] = sum(j) y[i, j] * d_y[i, j]\nd_x[i, j] = y[i, j] * (d_y[i, j] - p[i])",
    "c[i, j] = sum(k) a[i, k] * b[k, j]": (
        "d_a[i, k] = sum(j) b[k, j] * d_c[i, j]\nd_b[k, j] = sum(i) a[i, k] * d_c[i, j]\nout(d_a, d_b)"
    ),
    "y[b, t, d] = sum(k) w[d, k] * x[b, t - k, d]": (
        "d_w[d, k < size(k)] = sum(b, t) x[b, t - k, d] * d_y[b, t, d]\n"
        "d_x[b, t, d] = sum(k) w[d, k] * d_y[b, t + k, d]\nout(d_w, d_x)"
    ),
    "h[b, t] = scan(t) h[b, t - 1] * a[b, t] + u[b, t]": (
        "c_h[b, t] = scan(t) d_h[b, t] + a[b, t + 1] * c_h[b, t + 1]\n"
        "d_a[b, t] = h[b, t - 1] * c_h[b, t]\nd_u[b, t] = c_h[b, t]\nout(d_a, d_u)"
    ),
    "y[i, c] = w[ids[i], c]": "d_w[w_0 < size(w_0), c] = sum(i) where(ids[i] == w_0, d_y[i, c], 0)",
    "m[i] = max(j) x[i, j]\ns[i] = sum(j) exp(x[i, j] - m[i])\ny[i] = m[i] + log(s[i])": (
        "d_x[i, j] = d_y[i] * exp(x[i, j] - m[i]) / s[i]"
    ),
    "y[i] = exp(x[i])": "d_x[i] = y[i] * d_y[i]",
}


@pytest.mark.parametrize("formula", TEXTBOOK)
def test_backwards_print_as_the_textbook_has_them(formula: str) -> None:
    shown = backward_of(formula)
    kept = [line for line in shown.splitlines() if line]
    assert "\n".join(kept) == TEXTBOOK[formula]


def test_the_maximum_of_softmax_has_no_gradient() -> None:
    """Proved by the derivation: no count of ties is left, since what flows through the maximum cancels."""
    assert "ties" not in format_spec(vjp(parse_spec("softmax", SOFTMAX)))
    assert "ties" in format_spec(vjp(parse_spec("top", "m[i] = max(j) x[i, j]"))) or "p[" in format_spec(
        vjp(parse_spec("top", "m[i] = max(j) x[i, j]"))
    )


def test_a_backward_derives_again() -> None:
    spec = parse_spec("cubes", "y[i] = sum(j) x[i, j] ** 3")
    second = vjp(vjp(spec), ["x"])
    names = [t.name for s in second.stages for t in s.targets] + [i.name for i in second.inputs]
    assert len(set(names)) == len(names)
    assert parse_spec(second.name, format_spec(second)).outputs == second.outputs
    x = np.random.default_rng(0).normal(size=(2, 3))
    d_y, v = np.random.default_rng(1).normal(size=2), np.random.default_rng(2).normal(size=(2, 3))
    found = evaluate(second, {"x": x, "d_y": d_y, "d_d_x": v})
    np.testing.assert_allclose(found[second.outputs[0]], 6 * x * d_y[:, None] * v, rtol=1e-12)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("y[i] = floor(x[i])", "floor has no derivative"),
        ("y[i] = round(x[i] * 3) + x[i]", "round has no derivative"),
    ],
)
def test_what_has_no_derivative_is_refused_by_name(formula: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        vjp(parse_spec("op", formula))
    assert caught.value.message == message
    assert "stop_gradient" in caught.value.hints[0]


def test_an_input_without_a_gradient_is_refused_by_name() -> None:
    with pytest.raises(SpecError, match="no gradient for ids"):
        vjp(parse_spec("embed", "y[i, c] = w[ids[i], c]"), ["ids"])


def test_stop_gradient_and_straight_through() -> None:
    x, d = np.array([0.3, -1.7]), np.array([2.0, 5.0])
    stopped = vjp(parse_spec("op", "y[i] = stop_gradient(floor(x[i])) * x[i]"))
    np.testing.assert_allclose(evaluate(stopped, {"x": x, "d_y": d})["d_x"], np.floor(x) * d)
    through = vjp(parse_spec("op", "y[i] = straight_through(round(x[i]), as=x[i])"))
    np.testing.assert_allclose(evaluate(through, {"x": x, "d_y": d})["d_x"], d)


def test_a_gradient_of_nothing_is_a_float_and_derives_again() -> None:
    first = vjp(parse_spec("stopped", "given x[i], w[j]\ny[i] = x[i] + stop_gradient(w[0])"))
    x, w, d = np.array([1.0, 2.0]), np.array([3.0]), np.ones(2)
    assert evaluate(first, {"x": x, "w": w, "d_y": d})["d_w"].dtype == np.float64
    again = vjp(first)
    found = evaluate(again, {"x": x, "w": w, "d_y": d, "d_d_x": np.array([1.0, 2.0]), "d_d_w": np.array([5.0])})
    assert found[again.outputs[-1]].tolist() == [1, 2]


@pytest.mark.parametrize(
    "formula", ["d_y[i] = x[i] ** 2\ny[i] = d_y[i] * x[i]", "given x[i], d_y[i]\ny[i] = d_y[i] * x[i]"]
)
def test_the_name_of_a_gradient_is_not_taken(formula: str) -> None:
    with pytest.raises(SpecError, match="the name of the gradient of y"):
        vjp(parse_spec("named", formula))
