"""Whether a derived bound is tight as well as right: over 1,000 draws of arguments in one call, the worst error against the bound.

tight_checks(op_of, spec, hints, "wgpu")      # "looseness of the forward bound": how often the worst error goes into its bound
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.notation import Bound, Dtype, Index, OpSpec, Read, Scalar, Size, Stage, TensorInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.spec.rewrite import rebuilt, with_scalars
from shaderdsl.testing.devices import UNCAPPED, Runs, by_name, excess
from shaderdsl.testing.mutations import with_extents
from shaderdsl.testing.report import Check
from shaderdsl.testing.rounding import bounds_of
from shaderdsl.testing.samples import Array, Hints, draw

DRAWS = 1000
LOOSEST = 100.0
"""How many times the worst error a bound may be."""
SIZES = (2, 3, 5, 4)
DRAW = "draw_"


def over_draws(spec: OpSpec) -> OpSpec:
    """The spec for as many arguments at once as a first axis of every tensor counts."""
    spec = with_extents(spec)

    def drawn(scalar: Scalar) -> Scalar:
        inner = rebuilt(scalar, drawn)
        return replace(inner, indices=(Index(DRAW), *inner.indices)) if isinstance(inner, Read) else inner

    inputs = tuple(replace(i, axes=(DRAW, *i.axes)) if isinstance(i, TensorInput) else i for i in spec.inputs)
    return replace(spec, inputs=inputs, stages=tuple(with_draws(s, drawn) for s in spec.stages))


def with_draws(stage: Stage, drawn: Callable[[Scalar], Scalar]) -> Stage:
    first = Bound(DRAW, Size(DRAW))
    targets = tuple(replace(t, bounds=(first, *t.bounds)) for t in stage.targets)
    return with_scalars(replace(stage, targets=targets), drawn)


def many(spec: OpSpec, hints: Hints, draws: int, seed: int) -> dict[str, Any]:
    """Arguments of `over_draws(spec)`, with all of f32's digits; in every eighth draw with few, so that some are equal."""
    found = [draw(spec, hints, np.random.default_rng((seed, n)), SIZES) for n in range(draws)]
    random = np.random.default_rng((seed, draws))
    arguments: dict[str, Any] = {}
    for given in spec.inputs:
        if not isinstance(given, TensorInput):
            arguments[given.name] = found[0][given.name]
            continue
        array = np.stack([f[given.name] for f in found])
        arguments[given.name] = filled(array, random) if given.dtype is Dtype.F32 else array.astype(np.int32)
    return arguments


def filled(array: Array, random: np.random.Generator) -> Array:
    """Numbers with all digits."""
    full = (array * (1 + random.uniform(-(2.0**-10), 2.0**-10, array.shape))).astype(np.float32)
    full[::8] = np.rint(array[::8] * 2) / 2 + np.where(array[::8] > 0, 0.5, -0.5)
    return full


def tight_checks(
    op_of: Callable[[OpSpec], Runs], spec: OpSpec, hints: Hints, device: str, draws: int = DRAWS, seed: int = 0
) -> list[Check]:
    """Right for every draw, and no looser than `LOOSEST` times the worst error, forward and backward."""
    if not any(isinstance(i, TensorInput) for i in spec.inputs):
        return []
    arguments = many(spec, hints, draws, seed)
    checks = looked(op_of, over_draws(spec), arguments, device, "forward")
    if not differentiable(spec):
        return checks
    values = evaluate(over_draws(spec), arguments)
    random = np.random.default_rng((seed, 3))
    incoming = {f"d_{o}": random.normal(size=np.shape(values[o])).astype(np.float32) for o in spec.outputs}
    backward = over_draws(vjp(spec))
    known = {i.name for i in backward.inputs}
    wanted = {n: v for n, v in {**arguments, **incoming}.items() if n in known}
    return [*checks, *looked(op_of, backward, wanted, device, "backward")]


def looked(
    op_of: Callable[[OpSpec], Runs], spec: OpSpec, arguments: Mapping[str, Any], device: str, word: str
) -> list[Check]:
    """One way on the device: the worst error over its bound, and the other way around."""
    stages = [o for o in dict.fromkeys(spec.outputs) if spec.stage_of(o) is not None]
    if not stages:
        return []
    got = by_name(op_of(spec)(device=device, **arguments), spec.outputs)
    exact = bounds_of(spec, arguments)
    error = max(excess(got[o], exact[o], UNCAPPED) for o in stages)
    bounded = any(np.any(exact[o].error > 0) for o in stages)
    loose = (1 / error if error else float("inf")) if bounded else 0.0
    return [
        Check(f"{word} of {len(next(iter(arguments.values())))} draws on {device}", error, 1.0, "beyond its bound"),
        Check(f"looseness of the {word} bound on {device}", loose, LOOSEST, "the bound is far from every error"),
    ]
