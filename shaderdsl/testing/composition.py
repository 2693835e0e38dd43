"""The chain rule: the backward of one op after another is both backwards, one after the other.

composition_error(softmax, layer_norm, random)      # below 1e-10
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.notation import OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.report import Check
from shaderdsl.testing.samples import Array, Hints, draw, normal

LIMIT = 1e-10
EXTENTS = ((3, 3), (1, 1), (2, 2), (4, 4))


def compositions(specs: Sequence[OpSpec], scalars: Mapping[str, float], pairs: int, seed: int) -> Check:
    """Random pairs of ops whose result is what the next takes."""
    random = np.random.default_rng((seed, 3))
    worst = 0.0
    for _ in range(pairs):
        inner, outer = (specs[int(i)] for i in random.integers(0, len(specs), 2))
        worst = max(worst, composition_error(inner, outer, random, scalars))
    return Check(f"{pairs} compositions", worst, LIMIT, "the chain rule does not hold")


def composition_error(
    inner: OpSpec, outer: OpSpec, random: np.random.Generator, scalars: Mapping[str, float] | None = None
) -> float:
    """The relative difference of the two ways to the gradients."""
    both = composed(inner, outer)
    size = EXTENTS[int(random.integers(len(EXTENTS)))]
    arguments = draw(both, Hints(renamed(both, scalars or {})), random, size)
    values = evaluate(both, arguments)
    weight = normal(random, np.shape(values["z"]))
    at_once = gradients(both, {**arguments, "d_z": weight})
    own = {i.name: arguments[f"f_{i.name}"] for i in inner.inputs}
    rest = {i.name: values["m"] if n == 0 else arguments[f"g_{i.name}"] for n, i in enumerate(outer.inputs)}
    last = gradients(outer, {**rest, f"d_{outer.outputs[0]}": weight})
    first = gradients(inner, {**own, f"d_{inner.outputs[0]}": last.pop(outer.inputs[0].name)})
    in_turn = {**{f"f_{n}": g for n, g in first.items()}, **{f"g_{n}": g for n, g in last.items()}}
    return max(relative(at_once[n], in_turn[n]) for n in at_once)


def renamed(both: OpSpec, scalars: Mapping[str, float]) -> dict[str, float]:
    names = [i.name for i in both.inputs if isinstance(i, ScalarInput)]
    return {n: scalars[n[2:]] for n in names if n[2:] in scalars}


def composed(inner: OpSpec, outer: OpSpec) -> OpSpec:
    """`z = g(f(..), ..)`: the inputs of f after `f_`, all but the first of g after `g_`."""
    first = [given(i, "f_") for i in inner.inputs]
    rest = [given(i, "g_") for i in outer.inputs[1:]]
    f_names = ", ".join(f"f_{i.name}" for i in inner.inputs)
    g_names = ", ".join(["m", *(f"g_{i.name}" for i in outer.inputs[1:])])
    formula = f"given {', '.join([*first, *rest])}\nm = inner({f_names})\nz = outer({g_names})"
    return parse_spec(f"{outer.name}_after_{inner.name}", formula, {"inner": inner, "outer": outer})


def given(tensor: TensorInput | ScalarInput, prefix: str) -> str:
    """An input of the composed formula, with axes of its own."""
    dtype = f": {tensor.dtype.value}" if tensor.dtype.value != "f32" else ""
    if isinstance(tensor, ScalarInput):
        return f"{prefix}{tensor.name}{dtype}"
    axes = ", ".join(f"{prefix}{tensor.name}_{n}" for n in range(len(tensor.axes)))
    return f"{prefix}{tensor.name}[{axes}]{dtype}"


def gradients(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Array]:
    backward = vjp(spec)
    found = {**arguments, **evaluate(backward, arguments)}
    return {n: np.asarray(found[o]) for n, o in zip(differentiable(spec), backward.outputs)}


def relative(found: Array, expected: Array) -> float:
    if np.shape(found) != np.shape(expected):
        return float("inf")
    scale = max(float(np.max(np.abs(expected), initial=0.0)), 1e-3)
    error = float(np.max(np.abs(found - expected), initial=0.0)) / scale
    return error if error == error else float("inf")
