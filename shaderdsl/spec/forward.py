"""Forward mode: `jvp(spec)` carries tangents along, one tangent stage beside each stage. With it the adjoint identity <v, Jw> = <J'v, w> is checked.

y[i] = exp(x[i])        t_y[i] = y[i] * t_x[i]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shaderdsl.errors import SpecError
from shaderdsl.spec.adjoint import times, weight
from shaderdsl.spec.blame import at_stage
from shaderdsl.spec.bridge import Bridge
from shaderdsl.spec.derive import reached
from shaderdsl.spec.dtypes import differentiable, stage_dtypes
from shaderdsl.spec.extents import Extents, extents_of, unused, with_axis_names
from shaderdsl.spec.fills import chosen_fills
from shaderdsl.spec.finish import live
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


def tangent_name(name: str) -> str:
    return f"t_{name}"


def jvp(spec: OpSpec) -> OpSpec:
    """The outputs' tangents `t_y`, given a tangent `t_x` of every float input."""
    spec = live(with_axis_names(spec))
    chosen = differentiable(spec)
    active = reached(spec, chosen)
    check_tangent_names(spec, active)
    spec = chosen_fills(spec, active)
    extents = extents_of(spec)
    stages: list[Stage] = []
    dtypes = stage_dtypes(spec)
    floats = [n for n in spec.outputs if dtypes[n] is Dtype.F32]
    wanted = needed(spec, floats, active)
    for stage in spec.stages:
        moving = any(t.name in wanted for t in stage.targets)
        if not (moving and isinstance(stage.how, Scan)):  # a scan of values and tangents defines both
            stages.append(stage)
        if moving:
            with at_stage(stage):
                stages += tangents(stage, extents.stage(stage), active)
    given: list[TensorInput] = []
    for name in chosen:
        found = next(i for i in spec.inputs if isinstance(i, TensorInput) and i.name == name)
        taken: set[str] = set()
        axes = tuple(unused(a or "i", taken) for a in found.axes)
        given.append(TensorInput(tangent_name(name), axes, Dtype.F32))
    stages += [still(spec, n, extents) for n in floats if n not in active]
    outputs = tuple(map(tangent_name, floats))
    return live(OpSpec(f"{spec.name}.jvp", (*spec.inputs, *given), tuple(stages), outputs))


def needed(spec: OpSpec, outputs: Sequence[str], active: frozenset[str]) -> frozenset[str]:
    """The stages whose tangents these outputs need: what only stands in an index has none."""
    wanted = active.intersection(outputs)
    for stage in reversed(spec.stages):
        if any(t.name in wanted for t in stage.targets):
            starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
            wanted |= {t.name for t in stage.targets}
            wanted |= {r.tensor for v in (*stage.values, *starts) for r in reads(v) if r.tensor in active}
    return wanted


def still(spec: OpSpec, name: str, extents: Extents) -> Stage:
    """The tangent of an output that no input moves."""
    stage = next(s for s in spec.stages for t in s.targets if t.name == name)
    sizes = extents.stage(stage)
    bounds = tuple(Bound(b.name, sizes[b.name]) for b in stage.targets[0].bounds)
    return Stage((Target(tangent_name(name), bounds),), None, (Number(0.0),))


def check_tangent_names(spec: OpSpec, active: frozenset[str]) -> None:
    """Tangents go by their names, which nothing else may have."""
    taken = {i.name for i in spec.inputs} | {t.name for s in spec.stages for t in s.targets}
    for name in sorted(active):
        if tangent_name(name) in taken:
            raise SpecError(
                f"{spec.name} has a {tangent_name(name)}, the name of the tangent of {name}",
                hints=[f"give {tangent_name(name)} another name"],
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
