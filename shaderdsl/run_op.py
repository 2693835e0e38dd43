"""Calls of ops: arguments bound, a plan chosen for their ranks, and run; or the reference in float64.

call(softmax, (x,), {}, "wgpu")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shaderdsl.execute import choose_device, located
from shaderdsl.graph.record import holds_tensors, record
from shaderdsl.lang.here import here
from shaderdsl.operation import Op
from shaderdsl.run_steps import Compiled, Plan, run_steps
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.notation import OpSpec, TensorInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.spec.shapes import check_named_axes
from shaderdsl.tensor_arguments import assign, rank_of, take


def call(operation: Op, positional: Sequence[Any], named: Mapping[str, Any], device: str | None) -> Any:
    """What calling an op does."""
    with located(here()):
        if holds_tensors(positional, named):
            return record(operation, positional, named)
        arguments = assign(operation.name, operation.inputs, positional, named)
        ranks = ranks_of(operation, arguments)
        spec = operation.spec_at(ranks)
        if operation.is_derivative:
            check_named_axes(spec, shapes_of(arguments))
        given = take(spec, arguments)
        resident = [a for a in given.arrays.values() if isinstance(a, DeviceArray)]
        plan = plan_of(operation, spec, ranks)
        found = run_steps(plan, given, choose_device(device, resident), spec.outputs)
    return operation.named(found, spec)


def refer(operation: Op, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The meaning of an op, in float64."""
    with located(here()):
        arguments = assign(operation.name, operation.inputs, positional, named)
        hosts = {n: v.numpy() if isinstance(v, DeviceArray) else v for n, v in arguments.items()}
        spec = operation.spec_at(ranks_of(operation, hosts))
        if operation.is_derivative:
            check_named_axes(spec, shapes_of(hosts))
        found = evaluate(spec, hosts)
    return operation.named({n: found[n] for n in spec.outputs}, spec)


def shapes_of(arguments: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The shapes of arrays, of lists too."""
    return {n: tuple(a.shape) if isinstance(a, DeviceArray) else np.shape(a) for n, a in arguments.items()}


def ranks_of(operation: Op, arguments: Mapping[str, Any]) -> dict[str, int]:
    """The numbers of axes of the tensors."""
    tensors = [i.name for i in operation.spec.inputs if isinstance(i, TensorInput)]
    return {n: rank_of(n, arguments[n]) for n in tensors}


def plan_of(operation: Op, spec: OpSpec, ranks: Mapping[str, int]) -> Plan:
    """The op's plan for these ranks, with the shaders that earlier calls have made."""
    steps = operation.steps(ranks)
    known = operation.ready.get(steps)
    if known is None:
        known = operation.ready[steps] = Plan(spec, tuple(Compiled(s) for s in steps), stage_dtypes(spec))
    return known
