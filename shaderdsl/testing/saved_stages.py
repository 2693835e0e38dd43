"""A backward that is given the saved stages of its forward, against the one that computes them again: the same bits.

saved_check(spec, vjp(spec), points)        # None where the formula saves nothing that the backward reads
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.reference import evaluate
from shaderdsl.spec.saved import reusable, reusing
from shaderdsl.testing.points import Point, gradients
from shaderdsl.testing.report import Check


def saved_values(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The stages that a formula saves, in float64."""
    if not spec.saved:
        return {}
    values = evaluate(spec, arguments)
    return {n: values[n] for n in spec.saved}


def saved_check(spec: OpSpec, backward: OpSpec, found: Iterable[Point]) -> Check | None:
    """How many gradients have other bits where every saved stage is given."""
    names = reusable(backward, spec)
    if not names:
        return None
    given = reusing(backward, names)
    differing = 0
    for point in found:
        kept = saved_values(spec, point.arguments)
        whole = gradients(point, backward)
        reused = gradients(point, given, {n: kept[n] for n in names})
        differing += sum(np.asarray(a).tobytes() != np.asarray(reused[n]).tobytes() for n, a in whole.items())
    return Check("saved stages", float(differing), 0.0, f"gradients differ where {', '.join(names)} are given")
