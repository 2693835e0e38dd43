"""Reductions of numbers with errors, over the last axes.

Sums add the errors of their terms and round as the schedule does, in runs: what the additions and the terms' own products round is
independent, so it adds as squares do (four deviations of it), and never beyond its plain sum.

reduced(ReductionKind.SUM, terms, 1, Dtype.F32)
"""

from __future__ import annotations

from typing import assert_never

import numpy as np

from shaderdsl.schedule.bodies import RUN
from shaderdsl.spec.grid import wrapped
from shaderdsl.spec.notation import Dtype, ReductionKind
from shaderdsl.testing.near import NONE, SINGLE, Near, exactly, finite
from shaderdsl.testing.samples import Array

DEVIATIONS = 2.0
"""Of whole last places, which are twice what rounding to nearest is off at most."""


def reduced(kind: ReductionKind, terms: Near, kept: int, to: Dtype) -> Near:
    """Over all axes from `kept` on."""
    shape = terms.value.shape[:kept]
    flat = Near(*(np.reshape(a, (*shape, -1)) for a in (terms.value, terms.spread, terms.fresh)))
    if to is not Dtype.F32:
        return Near(whole(kind, flat.value, to), flat.error.max(-1, initial=0.0), NONE)
    match kind:
        case ReductionKind.SUM:
            return summed(flat)
        case ReductionKind.MEAN:
            return summed(flat) / exactly(np.float64(max(flat.value.shape[-1], 1)))
        case ReductionKind.MAX | ReductionKind.MIN:
            return farthest(kind, flat)
        case ReductionKind.PROD:
            return multiplied(flat)
        case _:
            assert_never(kind)


def whole(kind: ReductionKind, values: Array, to: Dtype) -> Array:
    functions = {
        ReductionKind.SUM: np.sum,
        ReductionKind.PROD: np.prod,
        ReductionKind.MAX: np.max,
        ReductionKind.MIN: np.min,
    }
    return wrapped(np.asarray(functions[kind](values, axis=-1)), to)


def summed(terms: Near) -> Near:
    """Errors that may agree add; roundings that are independent add as their squares."""
    own = [*roundings(terms.value, (terms.value != 0) | (terms.error > 0)), terms.fresh]
    worst = sum(o.sum(-1) for o in own)
    likely = DEVIATIONS * np.sqrt(sum((o * o).sum(-1) for o in own))
    return finite(Near(terms.value.sum(-1), terms.spread.sum(-1) + np.minimum(worst, likely), NONE))


def roundings(terms: Array, counts: Array) -> list[Array]:
    """The last places of what the schedule's accumulators hold, where something is added to something: runs, runs of runs, and so on."""
    found: list[Array] = []
    while terms.shape[-1] > 1:
        size = terms.shape[-1]
        before = terms.shape[:-1]
        runs = in_runs(terms).cumsum(-1)
        present = in_runs(counts)
        both = present[..., 1:] & (np.maximum.accumulate(present, -1)[..., :-1])
        found.append(np.where(both, SINGLE.ulp(runs[..., 1:]), 0.0).reshape((*before, -1)))
        terms, counts = runs[..., -1], np.asarray(present.any(-1))
        if size <= RUN:
            break
    return found


def in_runs(terms: Array) -> Array:
    """The last axis in rows of a run each, filled with nothing."""
    missing = -terms.shape[-1] % RUN if terms.shape[-1] > RUN else 0
    filled = np.concatenate([terms, np.zeros((*terms.shape[:-1], missing), terms.dtype)], -1)
    return filled.reshape((*terms.shape[:-1], -1, min(RUN, filled.shape[-1])))


def farthest(kind: ReductionKind, terms: Near) -> Near:
    """The error of a maximum is that of any term that may be it."""
    sign = 1.0 if kind is ReductionKind.MAX else -1.0
    least = (sign * terms.value - terms.error).max(-1, keepdims=True)
    may = sign * terms.value + terms.error >= least
    best = sign * (sign * terms.value).max(-1)
    return Near(best, np.where(may, terms.error, 0.0).max(-1), NONE)


def multiplied(terms: Near) -> Near:
    """One factor after the other."""
    total = exactly(np.ones(terms.value.shape[:-1]))
    for place in range(terms.value.shape[-1]):
        total = total * Near(terms.value[..., place], terms.spread[..., place], terms.fresh[..., place])
    return total
