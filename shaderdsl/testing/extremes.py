"""Hostile numbers for a formula that nobody gave hints for: those that the formula itself bears in float32.

    for trial in trials(spec, vjp(spec), point):
        trial.excess(gradients)           # of float32: finite and right wherever the exact gradient is a float32, up to 1

An input is filled with zeros, tiny, large and huge numbers in turn. A number counts where the outputs are right in float32, and 0 where the
gradient is the same on both its sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shaderdsl.errors import ShaderError
from shaderdsl.spec.derive import differentiable
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.points import Point
from shaderdsl.testing.rounding import bounds_of
from shaderdsl.testing.samples import Array

EXTREMES = (0.0, 1e-30, -1e-30, 20.0, -20.0, 88.0, -88.0, 89.0, -89.0, 1e4, -1e4)
COARSE = 1e-3
"""Of the largest gradient: a right leading digit is what is asked for."""
SPARE = 8.0
"""How many of the derived bounds another form of the same gradient may be off."""
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class Trial:
    """Arguments with hostile numbers, and the gradients with what they may be off, by input; NaN where all is allowed."""

    where: str
    arguments: Mapping[str, Any]
    exact: Mapping[str, Array]
    allowed: Mapping[str, Array]

    def excess(self, found: Mapping[str, Any]) -> float:
        """The largest error over what is allowed."""
        worst = 0.0
        for name, exact in self.exact.items():
            got, held = np.asarray(found[name], np.float64), np.isfinite(self.allowed[name])
            if np.shape(got) != np.shape(exact):
                return float("inf")
            with np.errstate(all="ignore"):
                off = np.abs(got[held] - exact[held]) / self.allowed[name][held]
            worst = max(worst, float(np.max(np.where(np.isfinite(off), off, np.inf), initial=0.0)))
        return worst


def trials(spec: OpSpec, backward: OpSpec, point: Point, names: Sequence[str]) -> Iterator[Trial]:
    """Each of these inputs filled with the numbers that it bears, in every order."""
    weights = {f"d_{o}": w for o, w in point.weights.items()}
    for name in names:
        numbers = borne(spec, backward, point, name)
        for shift in range(len(numbers)):
            values = np.resize(np.roll(numbers, shift), np.size(point.arguments[name]))
            arguments = {**point.arguments, name: singles(values, point.arguments[name])}
            if bears(spec, arguments):
                found = trial(
                    f"{name} of {', '.join(f'{v:g}' for v in values[:4])}",
                    backward,
                    {**arguments, **weights},
                    differentiable(spec),
                )
                if found is not None:
                    yield found


def singles(values: Any, like: Any) -> Array:
    return np.reshape(np.asarray(values, np.float32), np.shape(like)).astype(np.float64)


def borne(spec: OpSpec, backward: OpSpec, point: Point, name: str) -> list[float]:
    """The numbers that may fill an input."""
    full = {
        c: {**point.arguments, name: singles(np.full(np.shape(point.arguments[name]), c), point.arguments[name])}
        for c in EXTREMES
    }
    found = [c for c in EXTREMES if bears(spec, full[c])]
    if 0.0 in found and not all(c in found and smooth(backward, point, full, c) for c in (1e-30, -1e-30)):
        found.remove(0.0)
    return found


def smooth(backward: OpSpec, point: Point, full: Mapping[float, Mapping[str, Any]], other: float) -> bool:
    """Whether the gradients at 0 are those at a tiny number, so that no kink or tie is there."""
    weights = {f"d_{o}": w for o, w in point.weights.items()}
    values = [{**full[c], **weights, **evaluate(backward, {**full[c], **weights})} for c in (0.0, other)]
    return all(np.allclose(values[0][o], values[1][o], rtol=1e-6, atol=1e-9) for o in backward.outputs)


def bears(spec: OpSpec, arguments: Mapping[str, Any]) -> bool:
    """Whether the outputs are right in float32 to a leading digit."""
    try:
        exact, single = evaluate(spec, arguments), evaluate(spec, arguments, np.float32)
    except ShaderError:
        return False
    for output in spec.outputs:
        true, got = np.asarray(exact.get(output, 0.0)), np.asarray(single.get(output, 0.0))
        if not (np.isfinite(true).all() and np.isfinite(got).all()):
            return False
        if np.max(np.abs(true - got), initial=0.0) > 1e-2 * np.max(np.abs(true), initial=0.0):
            return False
    return True


def trial(where: str, backward: OpSpec, arguments: Mapping[str, Any], names: Sequence[str]) -> Trial | None:
    """The exact gradients, where float32 holds them."""
    bounds = bounds_of(backward, arguments)
    most = max([0.0, *(float(np.max(np.abs(a), initial=0.0)) for n, a in arguments.items() if n.startswith("d_"))])
    exact: dict[str, Array] = {}
    allowed: dict[str, Array] = {}
    for name, output in zip(names, backward.outputs):
        true = np.asarray(bounds[output].value, np.float64)
        held = np.isfinite(true) & (np.abs(true) < LARGEST / 16)
        if not held.any():
            continue
        error = np.asarray(np.broadcast_to(bounds[output].error, true.shape))
        scale = max(float(np.max(np.abs(true[held]))), 1e-2 * most)
        known = COARSE * scale + SPARE * np.where(np.isfinite(error), error, 0.0)
        exact[name], allowed[name] = true, np.where(held, known, np.nan)
    return Trial(where, arguments, exact, allowed) if exact else None
