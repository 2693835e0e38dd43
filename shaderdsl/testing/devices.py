"""An op on a device against its float64 meaning: forward and backward, within the derived bounds of `rounding`, and the same bits twice.

device_checks(softmax_op, points, "interpreter")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, cast

import numpy as np

from shaderdsl.spec.leading import Lengths
from shaderdsl.spec.notation import OpSpec
from shaderdsl.testing.near import Near
from shaderdsl.testing.points import Point
from shaderdsl.testing.report import Check
from shaderdsl.testing.rounding import bounds_of
from shaderdsl.testing.samples import Array

SINGLE = 1e-5
"""Of the norm of its row, which counts as 0.1 at least: no error is ever allowed more."""
LEAST = 1e-1
UNCAPPED = float("inf")
"""The derived bound alone: what rows that cancel need."""
UNKNOWN = 1e-3
"""Of the norm of its row, where nothing is promised."""


class Runs(Protocol):
    """What can be called on a device, and has a backward that can: an op."""

    @property
    def spec(self) -> OpSpec: ...
    @property
    def vjp(self) -> Runs: ...
    @property
    def with_saved(self) -> Runs: ...
    def spec_at(self, shapes: Mapping[str, Lengths], /) -> OpSpec: ...
    def __call__(self, *, device: str | None = None, **arguments: Any) -> Any: ...


def device_checks(op: Runs, spec: OpSpec, found: Iterable[Point], device: str, limit: float = SINGLE) -> list[Check]:
    """Forward and backward in the errors that are allowed, and whether a second run gives the same bits."""
    forward = backward = differing = changed = 0.0
    for point in found:
        given = {n: single(a) for n, a in point.arguments.items()}
        exact = bounds_of(spec, point.arguments)
        first = by_name(op(device=device, **given), spec.outputs)
        forward = max([forward, *(excess(first[o], exact[o], limit) for o in spec.outputs)])
        again = by_name(op(device=device, **given), spec.outputs)
        differing += different(first, again)
        if point.truths:
            incoming = {f"d_{o}": single(w) for o, w in point.weights.items()}
            known = {i.name for i in op.vjp.spec.inputs}
            wanted = {n: v for n, v in {**given, **incoming}.items() if n in known}
            back, again = (op.vjp(device=device, **wanted) for _ in range(2))
            differing += different(back, again)
            backward = max([backward, *truth_errors(op.vjp, point, back, limit)])
            if op.spec.saved:
                changed += different(back, reused(op, given, wanted, device))
    return [
        Check(f"forward on {device}", forward, 1.0, "the device is not the formula"),
        Check(f"backward on {device}", backward, 1.0, "the device's gradient is not the derivative"),
        Check(f"twice on {device}", differing, 0.0, "two runs differ"),
        *(
            [Check(f"saved stages on {device}", changed, 0.0, "gradients differ where they are given")]
            * bool(op.spec.saved)
        ),
    ]


def reused(op: Runs, given: Mapping[str, Any], wanted: Mapping[str, Any], device: str) -> Mapping[str, Any]:
    """The gradients where what the formula saves is given, as one call of the forward gives it."""
    kept = by_name(op.with_saved(device=device, **given), op.with_saved.spec.outputs)
    return op.vjp(device=device, **wanted, **{n: kept[n] for n in op.spec.saved})


def different(first: Mapping[str, Any], again: Mapping[str, Any]) -> int:
    """How many arrays have other bits."""
    return sum(np.asarray(a).tobytes() != np.asarray(again[n]).tobytes() for n, a in first.items())


def truth_errors(backward: Runs, point: Point, back: Mapping[str, Any], limit: float) -> Iterator[float]:
    """Each gradient against the true one, within what the stages of the backward may be off."""
    given = {**point.arguments, **{f"d_{o}": w for o, w in point.weights.items()}}
    known = {i.name for i in backward.spec.inputs}
    wanted = {n: v for n, v in given.items() if n in known}
    spec = backward.spec_at({n: np.shape(v) for n, v in wanted.items()})
    bounds = bounds_of(spec, wanted)
    for (name, true), output in zip(point.truths.items(), spec.outputs):
        found = bounds[output]
        values = np.array(found.value, np.float64)
        values.reshape(-1)[true.places] = true.values
        allowed = found.spread + true.tolerance
        yield excess(back[name], Near(values, allowed, found.fresh), limit)


def allowance(exact: Near, limit: float = SINGLE) -> Array:
    """The most that each element may be off: its derived bound, and never more than `limit` of its row's norm."""
    value = np.atleast_1d(np.asarray(exact.value, np.float64))
    norms = np.maximum(np.sqrt((value * value).sum(-1, keepdims=True)), LEAST)
    bound = np.atleast_1d(np.broadcast_to(np.asarray(exact.error, np.float64), np.shape(exact.value)))
    if limit < UNCAPPED:
        return np.minimum(bound, limit * norms)
    return np.where(np.isfinite(bound), bound, UNKNOWN * norms)


def excess(got: Any, exact: Near, limit: float = SINGLE) -> float:
    """The largest error of an element over what it may be off; infinite where the shape is wrong or it is not finite."""
    if np.shape(got) != np.shape(exact.value):
        return float("inf")
    off = np.abs(np.atleast_1d(np.asarray(got, np.float64)) - np.atleast_1d(np.asarray(exact.value, np.float64)))
    with np.errstate(all="ignore"):
        errors = np.where(off == 0, 0.0, off / allowance(exact, limit))
    error = float(np.max(errors, initial=0.0))
    return error if error == error else float("inf")


def single(argument: Any) -> Any:
    """Arrays as devices take them."""
    array = np.asarray(argument)
    if array.ndim == 0 and not isinstance(argument, np.ndarray):
        return argument
    return array.astype(np.float32 if array.dtype.kind == "f" else np.int32)


def by_name(found: Any, outputs: tuple[str, ...]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {outputs[0]: found}
