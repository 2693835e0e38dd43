"""Calls of ops: arguments bound, a plan chosen for their ranks, and run; or the reference in float64.

call(softmax, (x,), {}, "wgpu")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from shaderdsl.errors import LaunchError
from shaderdsl.execute import choose_device, located
from shaderdsl.graph.record import holds_tensors, record
from shaderdsl.lang.here import here
from shaderdsl.operation import Made, Op
from shaderdsl.run_steps import Compiled, Plan, checking, run_checks, run_steps
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.schedule.gathers import gathers_of
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.leading import Ones
from shaderdsl.spec.notation import TensorInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.tensor_arguments import assign, shape_of, take


def call(operation: Op, positional: Sequence[Any], named: Mapping[str, Any], device: str | None) -> Any:
    """What calling an op does."""
    with located(here()):
        if holds_tensors(positional, named):
            return record(operation, positional, named)
        arguments = assign(operation.name, operation.inputs, positional, named, operation.saved)
        shapes = shapes_of(operation, arguments)
        made = operation.made_at(shapes)
        given = take(made.spec, without_ones(arguments, made.ones))
        resident = [a for a in given.arrays.values() if isinstance(a, DeviceArray)]
        plan, where = plan_of(operation, made, shapes), choose_device(device, resident)
        for base, own, forward in bases(operation, arguments):
            run_checks(
                checks_of(base, forward, shapes_of(base, own)),
                take(forward.spec, without_ones(own, forward.ones)),
                where,
            )
        found = run_steps(plan, given, where, made.spec.outputs)
    return operation.named(with_ones(found, made.ones), made.spec)


def refer(operation: Op, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The meaning of an op, in float64."""
    with located(here()):
        arguments = assign(operation.name, operation.inputs, positional, named, operation.saved)
        hosts = {n: v.numpy() if isinstance(v, DeviceArray) else v for n, v in arguments.items()}
        made = operation.made_at(shapes_of(operation, hosts))
        for _, own, forward in bases(operation, hosts):
            evaluate(forward.spec, without_ones(own, forward.ones))
        found = evaluate(made.spec, without_ones(hosts, made.ones))
    return operation.named(with_ones({n: found[n] for n in made.spec.outputs}, made.ones), made.spec)


def bases(operation: Op, arguments: Mapping[str, Any]) -> Iterator[tuple[Op, dict[str, Any], Made]]:
    """What a derivative is derived from, as far as that has indices to check: the derivative may read nothing by them, and would lose
    the gradient of an index outside its axis without a word."""
    while operation.base is not None:
        operation = operation.base
        own = {n: arguments[n] for n in operation.inputs if n in arguments}
        made = operation.made_at(shapes_of(operation, own))
        if any(gathers_of(made.spec, n) for n in range(len(made.spec.stages))):
            yield operation, own, made


def checks_of(base: Op, made: Made, shapes: Mapping[str, tuple[int, ...]]) -> Plan:
    """The plan of a base, without what no check needs."""
    steps = checking(base.steps(made, shapes))
    known = base.ready.get(steps)
    if known is None:
        known = base.ready[steps] = Plan(made.spec, tuple(map(Compiled, steps)), stage_dtypes(made.spec))
    return known


def shapes_of(operation: Op, arguments: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The shapes of the tensors, of lists too."""
    tensors = [i.name for i in operation.spec.inputs if isinstance(i, TensorInput)]
    return {n: shape_of(n, arguments[n]) for n in tensors if n in arguments}


def without_ones(arguments: Mapping[str, Any], ones: Ones) -> dict[str, Any]:
    """Arguments without the axes of 1 that a derivative leaves out, since they are broadcast."""
    return {n: squeezed(n, value, ones[n]) if n in ones else value for n, value in arguments.items()}


def squeezed(name: str, value: Any, places: Sequence[int]) -> Any:
    """An array without some axes, counted from the last, each of which is 1."""
    shape = shape_of(name, value)
    wrong = next((p for p in places if len(shape) < -p or shape[p] != 1), None)
    if wrong is not None:
        raise LaunchError(
            f"{name} of shape {shape} has no axis of 1 at {wrong}",
            hints=["a gradient or a tangent has the shape of what it belongs to"],
        )
    left = tuple(n for p, n in enumerate(shape) if p - len(shape) not in places)
    return reshaped(value, left)


def with_ones(found: Mapping[str, Any], ones: Ones) -> dict[str, Any]:
    """Results with those axes."""
    return {n: expanded(value, ones[n]) if n in ones else value for n, value in found.items()}


def expanded(value: Any, places: Sequence[int]) -> Any:
    shape = list(value.shape)
    for place in sorted(places, reverse=True):
        shape.insert(len(shape) + 1 + place, 1)
    return reshaped(value, tuple(shape))


def reshaped(value: Any, shape: tuple[int, ...]) -> Any:
    """The same elements, in the same memory, under other axes."""
    if not isinstance(value, DeviceArray):
        return np.reshape(value, shape)
    host = None if value.host is None else value.host.reshape(shape)
    return DeviceArray(value.element, shape, value.device, value.buffer, host)


def plan_of(operation: Op, made: Made, shapes: Mapping[str, tuple[int, ...]]) -> Plan:
    """The op's plan for these shapes, with the shaders that earlier calls have made."""
    steps = operation.steps(made, shapes)
    known = operation.ready.get(steps)
    if known is None:
        known = operation.ready[steps] = Plan(made.spec, tuple(Compiled(s) for s in steps), stage_dtypes(made.spec))
    return known
