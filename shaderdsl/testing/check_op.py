"""The work of `sd.gradcheck`: the derived backward of an op, another op, or a function held to an op's formula.

check_op(softmax, None, 0, None, {}).ok
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from shaderdsl.errors import LaunchError
from shaderdsl.spec.extents import with_axis_names
from shaderdsl.spec.notation import Dtype, OpSpec
from shaderdsl.spec.print import format_spec
from shaderdsl.testing.devices import UNCAPPED, Runs, device_checks, single
from shaderdsl.testing.evidence import examine
from shaderdsl.testing.points import Point, points
from shaderdsl.testing.report import Check, Report
from shaderdsl.testing.samples import guessed, plain

Backward = Callable[..., Any]
EXACT, SINGLE = 1e-7, 1e-5
"""What a function's gradient may be off, relative to its largest entry, in float64 and in float32."""


def check_op(f: Any, backward: Any, seed: int, device: str | None, inputs: Mapping[str, Any]) -> Report:
    """What `sd.gradcheck` does."""
    spec = with_axis_names(plain(f if isinstance(f, OpSpec) else f.spec, tensors_of(inputs)))
    for name in inputs:
        if name not in [i.name for i in spec.inputs]:
            raise LaunchError(f"{spec.name} has no input {name}", hints=["pass inputs by the names in the formula"])
    hints = guessed(spec, {n: float(v) for n, v in inputs.items() if not np.ndim(v)})
    fixed = {n: settled(spec, n, v) for n, v in inputs.items()}
    own: Any = backward.spec if hasattr(backward, "formula") else backward
    if own is None or isinstance(own, OpSpec):
        report = examine(spec, hints, own, seed, fixed)
    else:
        found = list(points(spec, hints, seed, fixed))
        report = Report(spec.name, format_spec(spec), "", (function_check(found, own),))
    if device is None:
        return report
    checks = device_checks(cast("Runs", f), spec, list(points(spec, hints, seed, fixed)), device, UNCAPPED)
    return Report(report.op, report.formula, report.backward, (*report.checks, *checks), report.kills)


def tensors_of(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {n: v for n, v in inputs.items() if np.ndim(v)}


def settled(spec: OpSpec, name: str, value: Any) -> Any:
    """An argument as the reference takes it."""
    given = next(i for i in spec.inputs if i.name == name)
    return np.asarray(value, np.float64) if given.dtype is Dtype.F32 and np.ndim(value) else value


def function_check(found: Sequence[Point], backward: Backward) -> Check:
    """A function's gradients at every point."""
    figure, where = 0.0, ""
    for point in found:
        for name, gradient in named_gradients(point, backward).items():
            error = relative(point, name, gradient)
            if error > figure:
                figure, where = error, f"d_{name} is wrong for shapes {shapes(point)}"
    return Check("gradients of the function", figure, 1.0, where)


def shapes(point: Point) -> str:
    return ", ".join(f"{n} {np.shape(v)}" for n, v in point.arguments.items() if np.ndim(v))


def named_gradients(point: Point, backward: Backward) -> dict[str, Any]:
    """What the function returns, by input name."""
    incoming = {f"d_{o}": single(w) for o, w in point.weights.items()}
    found = backward(**{n: single(a) for n, a in point.arguments.items()}, **incoming)
    names = list(point.truths)
    if isinstance(found, Mapping):
        results = cast("Mapping[str, Any]", found)
        return {n: results[n] if n in results else results[f"d_{n}"] for n in names}
    listed = cast("Sequence[Any]", found) if isinstance(found, tuple | list) else [found]
    if len(listed) != len(names):
        raise LaunchError(
            f"the backward returns {len(listed)} of {len(names)} gradients", hints=[f"return {', '.join(names)}"]
        )
    return dict(zip(names, listed))


def relative(point: Point, name: str, gradient: Any) -> float:
    """The error of a gradient over what its type allows."""
    true, got = point.truths[name], np.asarray(gradient)
    if got.shape != np.shape(point.arguments[name]):
        return float("inf")
    limit = EXACT if got.dtype == np.float64 else SINGLE
    scale = max(float(np.max(np.abs(true.values), initial=0.0)), 1e-3)
    off = np.abs(got.astype(np.float64).reshape(-1)[true.places] - true.values)
    error = float(np.max(off, initial=0.0)) / (limit * scale)
    return error if error == error else float("inf")
