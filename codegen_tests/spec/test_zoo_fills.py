"""What is read out of range has a slope of its own, where the fill depends on an input."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codegen_tests.spec.differences import differences
from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.forward import jvp
from shaderdsl.spec.notation import OpSpec, TensorInput
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate

SIZES = {"t": 4, "c": 3, "k": 3, "i": 2}
FORMULAS = {
    "first": "given x[t], w[k]\ny[t] = x[t - 1; w[0]] ** 2",
    "product": "given x[t], w[k]\ny[t] = x[t - 1; w[1] * w[0]] * x[t]",
    "rows": "given x[t, c], w[c]\ny[t, c] = x[t - 2, c; exp(w[c])]",
    "after": "given x[t], s[]\ny[t] = x[t + 1; s] * s",
    "padded": "given x[i], w[k], p: i32\ny[i < size(i) + 2 * p] = x[i - p; w[0]] * w[1]",
    "summed": "given x[t], w[k]\ny = sum(t < size(t) + 3) x[t - 1; w[2]] ** 2",
    "gathered": "given x[t], ids[k]: i32, w[k]\ny[k] = x[ids[k]; w[k]] ** 2",
    "nested": "given x[t], w[k]\ny[t] = x[t - 1; x[t + 1; w[0]]] * w[1]",
    "carried": "given a[t], h0[]\nh[t] = scan(t, start=h0) a[t] * h[t - 1]\ny[t] = a[t] * h[t - 1; h0] ** 2",
}


def arguments(spec: OpSpec) -> dict[str, Any]:
    random = np.random.default_rng(0)
    given = {
        i.name: random.normal(size=tuple(SIZES[a or "k"] for a in i.axes))
        for i in spec.inputs
        if isinstance(i, TensorInput)
    }
    fixed: dict[str, Any] = {"ids": np.array([1, -1, 9]), "p": 2}
    return given | {n: v for n, v in fixed.items() if any(i.name == n for i in spec.inputs)}


def weights_of(spec: OpSpec, given: dict[str, Any]) -> dict[str, Any]:
    values = evaluate(spec, given)
    return {o: np.random.default_rng(1).normal(size=values[o].shape) for o in spec.outputs}


@pytest.mark.parametrize("name", FORMULAS)
def test_tangents_flow_through_fills(name: str) -> None:
    spec = parse_spec(name, FORMULAS[name])
    given, forward = arguments(spec), jvp(spec)
    assert parse_spec(forward.name, format_spec(forward)) == forward
    weights = weights_of(spec, given)
    tangents = {n: np.random.default_rng(2).normal(size=np.shape(given[n])) for n in differentiable(spec)}
    found = evaluate(forward, given | {f"t_{n}": t for n, t in tangents.items()})
    left = sum(float((found[f"t_{o}"] * w).sum()) for o, w in weights.items())
    right = sum(float((differences(spec, given, n, weights) * t).sum()) for n, t in tangents.items())
    assert left == pytest.approx(right, rel=1e-6)


@pytest.mark.parametrize("name", FORMULAS)
def test_gradients_flow_through_fills(name: str) -> None:
    spec = parse_spec(name, FORMULAS[name])
    given, backward = arguments(spec), vjp(spec)
    assert parse_spec(backward.name, format_spec(backward)) == backward
    weights = weights_of(spec, given)
    found = evaluate(backward, given | {f"d_{o}": w for o, w in weights.items()})
    for argument, output in zip(differentiable(spec), backward.outputs):
        np.testing.assert_allclose(found[output], differences(spec, given, argument, weights), rtol=1e-6, atol=1e-8)
