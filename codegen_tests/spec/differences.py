"""Gradients by central differences in float64: what derived backwards are held to."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any

import numpy as np

from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.reference import evaluate

Array = Any
STEP = 1e-6


def outputs(spec: OpSpec, arguments: dict[str, Any]) -> dict[str, Array]:
    values = evaluate(spec, arguments)
    return {name: values[name] for name in spec.outputs}


def differences(spec: OpSpec, arguments: dict[str, Any], name: str, weights: dict[str, Array]) -> Array:
    """The gradient of the weighted sum of all outputs by one argument."""
    x = np.asarray(arguments[name], np.float64)
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        sides: list[float] = []
        for step in (STEP, -STEP):
            moved = x.copy()
            moved[place] += step
            values = outputs(spec, {**arguments, name: moved})
            sides.append(float(sum((values[o] * weights[o]).sum() for o in spec.outputs)))
        found[place] = (sides[0] - sides[1]) / (2 * STEP)
    return found


def relative(found: Array, expected: Array) -> float:
    """The largest error over the largest entry."""
    if not np.size(expected):
        return 0.0
    return float(np.abs(found - expected).max() / (np.abs(expected).max() + 1e-9))
