"""Forward mode: `jvp(spec)` carries tangents along, one tangent stage beside each stage. With it the adjoint identity <v, Jw> = <J'v, w> is checked.

y[i] = exp(x[i])        t_y[i] = y[i] * t_x[i]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shaderdsl.errors import SpecError
from shaderdsl.spec.adjoint import times, weight
from shaderdsl.spec.bridge import Bridge
from shaderdsl.spec.derive import differentiable, reached
from shaderdsl.spec.extents import extents_of, unused, with_axis_names
from shaderdsl.spec.fills import chosen_fills
from shaderdsl.spec.notation import (
    Bound,
    Dtype,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    Scan,
    Stage,
    Target,
    TensorInput,
)
from shaderdsl.spec.rewrite import reads
from shaderdsl.spec.tidy import live


def tangent_name(name: str) -> str:
    return f"t_{name}"


def jvp(spec: OpSpec) -> OpSpec:
    """The outputs' tangents `t_y`, given a tangent `t_x` of every float input."""
    spec = live(with_axis_names(spec))
    chosen = differentiable(spec)
    check_tangent_names(spec, chosen)
    active = reached(spec, chosen)
    spec = chosen_fills(spec, active)
    extents = extents_of(spec)
    stages: list[Stage] = []
    for stage in spec.stages:
        moving = any(t.name in active for t in stage.targets)
        if not (moving and isinstance(stage.how, Scan)):  # a scan of values and tangents defines both
            stages.append(stage)
        if moving:
            stages += tangents(stage, extents.stage(stage), active)
    given: list[TensorInput] = []
    for name in chosen:
        found = next(i for i in spec.inputs if isinstance(i, TensorInput) and i.name == name)
        taken: set[str] = set()
        axes = tuple(unused(a or "i", taken) for a in found.axes)
        given.append(TensorInput(tangent_name(name), axes, Dtype.F32))
    outputs = tuple(tangent_name(n) for n in spec.outputs if n in active)
    return live(OpSpec(f"{spec.name}.jvp", (*spec.inputs, *given), tuple(stages), outputs))


def check_tangent_names(spec: OpSpec, chosen: Sequence[str]) -> None:
    """The tangent of an input is passed by its name, which no other input may have."""
    given = {i.name for i in spec.inputs}
    for name in chosen:
        if tangent_name(name) in given:
            raise SpecError(
                f"{spec.name} has an input {tangent_name(name)}, the name of the tangent of {name}",
                hints=["give the input another name"],
            )


def tangents(stage: Stage, bounds: dict[str, Scalar], active: frozenset[str]) -> list[Stage]:
    """The tangent of a stage, and the helper stages that it reads."""
    if isinstance(stage.how, Scan):
        return [tangent_of_scan(stage, stage.how, active)]
    target = stage.targets[0]
    own = Read(target.name, tuple(Index(b.name) for b in target.bounds))
    weights, helpers = weight(stage, own, bounds)
    value = times(weights, tangent(stage.values[0], active))
    how = stage.how
    if isinstance(how, Reduction) and how.kind is not ReductionKind.SUM:
        how = replace(how, kind=ReductionKind.SUM)
    named = (
        target
        if how is not None
        else replace(target, bounds=tuple(Bound(b.name, bounds[b.name]) for b in target.bounds))
    )
    if isinstance(how, Reduction):
        named = replace(target, bounds=tuple(Bound(b.name, bounds[b.name]) for b in target.bounds))
        how = replace(how, over=tuple(Bound(b.name, bounds[b.name]) for b in how.over))
    return [*helpers, Stage((replace(named, name=tangent_name(target.name)),), how, (value,))]


def tangent(value: Scalar, active: frozenset[str]) -> Scalar:
    """The sum over reads of slope times tangent."""
    bridge = Bridge()
    term = bridge.term(value)
    total: Scalar | None = None
    for read in reads(value):
        if read.tensor not in active:
            continue
        slope = bridge.scalar(term.diff(bridge.leaf(read)))
        if slope == Number(0):
            continue
        outside = None if read.fill is None else Number(0)
        part = times(slope, Read(tangent_name(read.tensor), read.indices, outside))
        total = part if total is None else Operation(Operator.ADD, (total, part))
    return Number(0) if total is None else total


def tangent_of_scan(stage: Stage, how: Scan, active: frozenset[str]) -> Stage:
    """A scan of the values and their tangents together, since each step's slopes read the values of the step before."""
    targets = (*stage.targets, *(Target(tangent_name(t.name), t.bounds) for t in stage.targets))
    values = (*stage.values, *(tangent(v, active) for v in stage.values))
    starts = how.starts
    if starts is not None:
        starts = (*starts, *(tangent(s, active) for s in starts))
    return Stage(targets, Scan(how.index, how.backwards, starts), values)
