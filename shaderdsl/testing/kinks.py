"""Points where maxima are tied and arguments lie on kinks, for formulas that have some: there the stated convention is the truth.

A maximum shares its gradient among the elements that reach it, relu and abs have slope 0 at 0, clamp passes at its bounds, and of two
equal arguments `max` and `min` choose the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shaderdsl.errors import ShaderError
from shaderdsl.spec.notation import Dtype, Function, Number, OpSpec, Reduction, ReductionKind, ScalarInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.spec.rewrite import subscalars
from shaderdsl.testing.samples import Array, Hints, draw

FUNCTIONS = frozenset({"abs", "relu", "max", "min", "clamp", "saturate", "length", "distance"})
EXTENTS = ((3, 5, 2), (4, 3, 2), (1, 6, 3), (7, 2, 2))
FEW = 4.0
"""The largest constant of a formula that arguments take as it is."""


def has_kinks(spec: OpSpec) -> bool:
    """Whether a formula has maxima or functions with kinks."""
    peaks = (ReductionKind.MAX, ReductionKind.MIN)
    return any(
        (isinstance(s.how, Reduction) and s.how.kind in peaks)
        or any(isinstance(p, Function) and p.name in FUNCTIONS for v in s.values for p in subscalars(v))
        for s in spec.stages
    )


def tied_arguments(
    spec: OpSpec, hints: Hints, seed: int, fixed: Mapping[str, Any]
) -> Iterator[tuple[dict[str, Any], dict[str, Array]]]:
    """Arguments of few different numbers, those that the formula and its scalars name among them, with incoming gradients."""
    for number, extents in enumerate(EXTENTS):
        random = np.random.default_rng((seed, 11, number))
        start = draw(spec, hints, random, extents, fixed)
        pool = np.array(sorted({-1.0, 0.0, 1.0, *constants(spec, start)}))
        for least in (-np.inf, 0.5):  # where nothing is finite at 0 or below it, above
            arguments = start | {n: random.choice(pool[pool > least], np.shape(start[n])) for n in floats(spec, fixed)}
            try:
                values = {**arguments, **evaluate(spec, arguments)}
            except ShaderError:
                continue
            outputs = {o: np.asarray(values[o]) for o in spec.outputs}
            if all(np.isfinite(a).all() for a in outputs.values()):
                yield arguments, {o: random.normal(size=a.shape).astype(np.float32) for o, a in outputs.items()}
                break


def floats(spec: OpSpec, fixed: Mapping[str, Any]) -> list[str]:
    """The tensors that are drawn."""
    return [
        i.name for i in spec.inputs if i.dtype is Dtype.F32 and not isinstance(i, ScalarInput) and i.name not in fixed
    ]


def constants(spec: OpSpec, arguments: Mapping[str, Any]) -> Iterator[float]:
    """The small numbers of a formula, and its scalars."""
    parts = (p for s in spec.stages for v in s.values for p in subscalars(v))
    yield from (float(p.value) for p in parts if isinstance(p, Number) and abs(p.value) <= FEW)
    scalars = (arguments[i.name] for i in spec.inputs if isinstance(i, ScalarInput) and i.dtype is Dtype.F32)
    yield from (float(v) for v in scalars)
