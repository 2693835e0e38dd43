"""The work of `sd.gradcheck`: the derived backward of an op, another op, or a function held to an op's formula.

check_op(softmax, None, 0, None, {}).ok
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from shaderdsl.errors import LaunchError, SpecError
from shaderdsl.program import KernelProgram
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.dtypes import differentiable
from shaderdsl.spec.equal_axes import with_axis_names
from shaderdsl.spec.leading import leads_of, with_leads
from shaderdsl.spec.notation import Dtype, OpSpec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.broadcast import Whole, plain_backward, squeezed, whole_function
from shaderdsl.testing.devices import UNCAPPED, Runs, device_checks
from shaderdsl.testing.evidence import every_point, examine
from shaderdsl.testing.handwritten import Held, faults_of, function_checks
from shaderdsl.testing.kernels import check_kernel
from shaderdsl.testing.report import Report
from shaderdsl.testing.samples import guessed


def check_op(f: Any, backward: Any, seed: Any, device: str | None, inputs: Mapping[str, Any]) -> Report:
    """What `sd.gradcheck` does."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise LaunchError(f"seed is {seed!r}, not a whole number from 0 on", hints=["pass seed=0"])
    if isinstance(f, KernelProgram):
        return check_kernel(f, backward, seed, device, inputs)
    root = f if isinstance(f, OpSpec) else getattr(f, "spec", None)
    if not isinstance(root, OpSpec):
        raise LaunchError(f"gradcheck takes an op, not {f!r}", hints=['sd.op("name", formula) makes one'])
    if not differentiable(root):
        raise LaunchError(
            f"{root.name} reads no tensor of floats, and has no gradients", hints=["gradients are for inputs of f32"]
        )
    shapes = shapes_of(inputs)
    leads = leads_of(root, shapes)
    spec = with_axis_names(with_leads(root, leads))
    for name in inputs:
        if name not in [i.name for i in spec.inputs]:
            raise LaunchError(f"{spec.name} has no input {name}", hints=["pass inputs by the names in the formula"])
    hints = guessed(spec, {n: float(v) for n, v in inputs.items() if not np.ndim(v)})
    fixed = {n: squeezed(settled(spec, n, v), leads.ones.get(n, ())) for n, v in inputs.items()}
    own: Any = backward.spec_at(shapes) if hasattr(backward, "formula") else backward
    if isinstance(own, OpSpec):
        own = in_order(plain_backward(own, leads, shapes), differentiable(spec))
    found = every_point(spec, hints, seed, fixed)
    if own is None or isinstance(own, OpSpec):
        report = examine(spec, hints, own, seed, fixed)
    else:
        report = Report(spec.name, format_spec(spec), "", ())
    if own is not None:
        function = evaluated(own) if isinstance(own, OpSpec) else whole_function(own, differentiable(spec), leads.ones)
        held = Held(function, list(found[0].truths), device, spec)
        checks, faults = function_checks(spec, derived(spec), found, hints, seed, fixed, held)
        report = replace(report, checks=(*report.checks, *checks), faults=faults)
    else:
        report = replace(report, faults=faults_of(found, evaluated(vjp(spec)), list(found[0].truths)))
    if device is None:
        return report
    return replace(
        report,
        checks=(*report.checks, *device_checks(Whole(cast("Runs", f), leads.ones), spec, found, device, UNCAPPED)),
    )


def derived(spec: OpSpec) -> OpSpec | None:
    """The derived backward; None where there is none to compare with."""
    try:
        return vjp(spec)
    except SpecError:
        return None


def evaluated(own: OpSpec) -> Callable[..., list[Any]]:
    """A spec as a function, in float64."""
    known = {i.name for i in own.inputs}

    def backward(**arguments: Any) -> list[Any]:
        given = {n: a for n, a in arguments.items() if n in known}
        found = {**given, **evaluate(own, given)}
        return [np.asarray(found[o], np.float64) for o in own.outputs]

    return backward


def in_order(own: OpSpec, names: Sequence[str]) -> OpSpec:
    """A backward with its outputs in the order of the inputs, where they go by their names."""
    wanted = tuple(f"d_{n}" for n in names)
    return replace(own, outputs=wanted) if set(own.outputs) == set(wanted) else own


def shapes_of(inputs: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {n: np.shape(v) for n, v in inputs.items() if np.ndim(v)}


def settled(spec: OpSpec, name: str, value: Any) -> Any:
    """An argument as the reference takes it."""
    given = next(i for i in spec.inputs if i.name == name)
    return np.asarray(value, np.float64) if given.dtype is Dtype.F32 and np.ndim(value) else value
