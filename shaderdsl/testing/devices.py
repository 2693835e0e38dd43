"""An op on a device against its float64 meaning: forward and backward, in tolerances of float32, and the same bits twice.

device_checks(softmax_op, points, "interpreter")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, cast

import numpy as np

from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.points import Point
from shaderdsl.testing.report import Check
from shaderdsl.testing.samples import Array

SINGLE = 1e-5
"""Of the largest entry of the row; a backward adds what its forward was off."""


class Runs(Protocol):
    """What can be called on a device, and has a backward that can: an op."""

    @property
    def spec(self) -> OpSpec: ...
    @property
    def vjp(self) -> Runs: ...
    def __call__(self, *, device: str | None = None, **arguments: Any) -> Any: ...


def device_checks(op: Runs, spec: OpSpec, found: Iterable[Point], device: str, limit: float = SINGLE) -> list[Check]:
    """Forward, backward, and whether a second run gives the same bits."""
    forward = backward = differing = 0.0
    for point in found:
        given = {n: single(a) for n, a in point.arguments.items()}
        exact = evaluate(spec, point.arguments)
        first = by_name(op(device=device, **given), spec.outputs)
        forward = max([forward, *(row_error(first[o], exact[o]) for o in spec.outputs)])
        again = by_name(op(device=device, **given), spec.outputs)
        differing += sum(np.asarray(first[o]).tobytes() != np.asarray(again[o]).tobytes() for o in spec.outputs)
        if point.truths:
            incoming = {f"d_{o}": single(w) for o, w in point.weights.items()}
            known = {i.name for i in op.vjp.spec.inputs}
            back = op.vjp(device=device, **{n: v for n, v in {**given, **incoming}.items() if n in known})
            backward = max([backward, *truth_errors(point, back)])
    return [
        Check(f"forward on {device}", forward, limit, "the device is not the formula"),
        Check(f"backward on {device}", backward, 4 * limit, "the device's gradient is not the derivative"),
        Check(f"twice on {device}", differing, 0.0, "two runs differ"),
    ]


def truth_errors(point: Point, back: Mapping[str, Any]) -> Iterator[float]:
    for name, true in point.truths.items():
        got = np.asarray(back[name], np.float64).reshape(-1)[true.places]
        scale = max(float(np.max(np.abs(true.values), initial=0.0)), 1e-1)
        yield float(np.max(np.abs(got - true.values), initial=0.0)) / scale


def single(argument: Any) -> Any:
    """Arrays as devices take them."""
    array = np.asarray(argument)
    if array.ndim == 0 and not isinstance(argument, np.ndarray):
        return argument
    return array.astype(np.float32 if array.dtype.kind == "f" else np.int32)


def by_name(found: Any, outputs: tuple[str, ...]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {outputs[0]: found}


def row_error(got: Array, exact: Array) -> float:
    """The largest error of an element over the norm of its row, which is at least 0.1."""
    if np.shape(got) != np.shape(exact):
        return float("inf")
    true = np.atleast_1d(np.asarray(exact, np.float64))
    off = np.abs(np.atleast_1d(np.asarray(got, np.float64)) - true)
    norms = np.maximum(np.sqrt((true * true).sum(-1, keepdims=True)), 1e-1)
    error = float(np.max(off / norms, initial=0.0))
    return error if error == error else float("inf")
