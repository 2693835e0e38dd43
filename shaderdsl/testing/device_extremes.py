"""Hostile numbers on a device: an op forward and backward, finite and right wherever the exact value is a float32.

extreme_checks(op_of, spec, hints, "wgpu")       # 0, +-1e-30, +-20, +-88, +-89, +-1e4 and rows that mix them, all in one call
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.notation import OpSpec, TensorInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.devices import Runs, by_name, single
from shaderdsl.testing.draws import over_draws
from shaderdsl.testing.extremes import EXTREMES, LARGEST
from shaderdsl.testing.report import Check
from shaderdsl.testing.rounding import bounds_of
from shaderdsl.testing.samples import Array, Hints, draw

SIZES = (2, 3, 5, 4)


def extreme_checks(
    op_of: Callable[[OpSpec], Runs], spec: OpSpec, hints: Hints, device: str, seed: int = 0
) -> list[Check]:
    """One check forward, one backward; none for an op without float tensors."""
    if not differentiable(spec):
        return []
    arguments = stacked(spec, list(fillings(spec, hints, seed)))
    forward, backward = over_draws(spec), over_draws(vjp(spec))
    shapes = {o: np.shape(v) for o, v in evaluate(forward, arguments).items() if o in spec.outputs}
    random = np.random.default_rng((seed, 7))
    incoming = {f"d_{o}": random.normal(size=s).astype(np.float32) for o, s in shapes.items()}
    known = {i.name for i in backward.inputs}
    wanted = {n: a for n, a in {**arguments, **incoming}.items() if n in known}
    return [
        Check(
            f"extremes forward on {device}",
            figure(op_of, forward, arguments, hints, device),
            1.0,
            "not finite, or wrong",
        ),
        Check(
            f"extremes backward on {device}",
            figure(op_of, backward, wanted, hints, device),
            1.0,
            "not finite, or wrong",
        ),
    ]


def fillings(spec: OpSpec, hints: Hints, seed: int) -> Iterator[dict[str, Any]]:
    """Each float input filled with extremes in every order, and with each of them alone."""
    start = draw(spec, hints, np.random.default_rng((seed, 6)), SIZES)
    for name in differentiable(spec):
        numbers = np.clip(EXTREMES, None, hints.within.get(name, float("inf")))
        if name in hints.positive:
            numbers = np.abs(numbers)[np.abs(numbers) > 0]
        size, shape = np.size(start[name]), np.shape(start[name])
        for shift in range(len(numbers)):
            yield {**start, name: np.resize(np.roll(numbers, shift), size).reshape(shape)}
            yield {**start, name: np.full(shape, numbers[shift])}


def stacked(spec: OpSpec, found: list[dict[str, Any]]) -> dict[str, Any]:
    """Arguments of `over_draws(spec)`."""
    tensors = {i.name for i in spec.inputs if isinstance(i, TensorInput)}
    return {n: single(np.stack([f[n] for f in found])) if n in tensors else a for n, a in found[0].items()}


def figure(
    op_of: Callable[[OpSpec], Runs], spec: OpSpec, arguments: Mapping[str, Any], hints: Hints, device: str
) -> float:
    """The largest error over what is allowed."""
    got = by_name(op_of(spec)(device=device, **arguments), spec.outputs)
    exact = bounds_of(spec, arguments)
    return max(
        share(np.asarray(got[o], np.float64), np.asarray(exact[o].value, np.float64), exact[o].error, hints)
        for o in spec.outputs
    )


def share(got: Array, exact: Array, error: Array, hints: Hints) -> float:
    """A right leading digit beside the largest of each draw, besides what is derived."""
    held = np.isfinite(exact) & (np.abs(exact) < LARGEST / 16)
    rows = np.where(held, np.abs(exact), 0.0).reshape(len(exact), -1).max(-1, initial=0.0)
    scale = np.maximum(rows, 1e-2).reshape(-1, *(1,) * (exact.ndim - 1))
    allowed = hints.single * scale + np.where(np.isfinite(error), error, 0.0)
    with np.errstate(all="ignore"):
        shares = np.where(held, np.abs(got - exact) / allowed, 0.0)
    worst = float(np.max(shares, initial=0.0))
    return worst if worst == worst else float("inf")
