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
from shaderdsl.spec.casts import without_casts
from shaderdsl.spec.derive import reached
from shaderdsl.spec.dtypes import differentiable, stage_dtypes
from shaderdsl.spec.equal_axes import with_axis_names
from shaderdsl.spec.extents import Extents, extents_of, unused
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
from shaderdsl.spec.terms import with_terms


def tangent_name(name: str, order: int) -> str:
    """`t_x`; in the tangent of a tangent `t2_x`, since that has an input `t_x` already."""
    return f"t_{name}" if order == 1 else f"t{order}_{name}"


def jvp(spec: OpSpec, order: int = 1) -> OpSpec:
    """The outputs' tangents `t_y`, given a tangent `t_x` of every float input. order: how often forward mode was taken, this time too."""
    spec = live(without_casts(with_axis_names(spec)))
    chosen = differentiable(spec)
    check_tangent_names(spec, reached(spec, chosen), order)
    named = with_terms(chosen_fills(spec, reached(spec, chosen)), reached(spec, chosen))
    spec = named.spec
    active = reached(spec, chosen)
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
                stages += tangents(stage, extents.stage(stage), active, order)
    given: list[TensorInput] = []
    for name in chosen:
        found = next(i for i in spec.inputs if isinstance(i, TensorInput) and i.name == name)
        taken: set[str] = set()
        axes = tuple(unused(a or "i", taken) for a in found.axes)
        given.append(TensorInput(tangent_name(name, order), axes, Dtype.F32))
    stages += [still(spec, n, extents, order) for n in floats if n not in active]
    outputs = tuple(tangent_name(n, order) for n in floats)
    return named.rejoined(live(OpSpec(f"{spec.name}.jvp", (*spec.inputs, *given), tuple(stages), outputs)))


def needed(spec: OpSpec, outputs: Sequence[str], active: frozenset[str]) -> frozenset[str]:
    """The stages whose tangents these outputs need: what only stands in an index has none."""
    wanted = active.intersection(outputs)
    for stage in reversed(spec.stages):
        if any(t.name in wanted for t in stage.targets):
            starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
            wanted |= {t.name for t in stage.targets}
            wanted |= {r.tensor for v in (*stage.values, *starts) for r in reads(v) if r.tensor in active}
    return wanted


def still(spec: OpSpec, name: str, extents: Extents, order: int) -> Stage:
    """The tangent of an output that no input moves."""
    stage = next(s for s in spec.stages for t in s.targets if t.name == name)
    sizes = extents.stage(stage)
    bounds = tuple(Bound(b.name, sizes[b.name]) for b in stage.targets[0].bounds)
    return Stage((Target(tangent_name(name, order), bounds),), None, (Number(0.0),))


def check_tangent_names(spec: OpSpec, active: frozenset[str], order: int) -> None:
    """Tangents go by their names, which nothing else may have."""
    taken = {i.name for i in spec.inputs} | {t.name for s in spec.stages for t in s.targets}
    for name in sorted(active):
        tangent = tangent_name(name, order)
        if tangent in taken:
            raise SpecError(
                f"{spec.name} has a {tangent}, the name of the tangent of {name}",
                hints=[f"give {tangent} another name"],
            )


def tangents(stage: Stage, bounds: dict[str, Scalar], active: frozenset[str], order: int) -> list[Stage]:
    """The tangent of a stage, and the helper stages that it reads."""
    if isinstance(stage.how, Scan):
        return [tangent_of_scan(stage, stage.how, active, order)]
    target = stage.targets[0]
    own = Read(target.name, tuple(Index(b.name) for b in target.bounds))
    weights, helpers = weight(stage, own, bounds)
    value = times(weights, tangent(stage.values[0], active, order))
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
    return [*helpers, Stage((replace(named, name=tangent_name(target.name, order)),), how, (value,))]


def tangent(value: Scalar, active: frozenset[str], order: int) -> Scalar:
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
        part = times(slope, Read(tangent_name(read.tensor, order), read.indices, outside))
        total = part if total is None else Operation(Operator.ADD, (total, part))
    return Number(0) if total is None else total


def tangent_of_scan(stage: Stage, how: Scan, active: frozenset[str], order: int) -> Stage:
    """A scan of the values and their tangents together, since each step's slopes read the values of the step before."""
    targets = (*stage.targets, *(Target(tangent_name(t.name, order), t.bounds) for t in stage.targets))
    values = (*stage.values, *(tangent(v, active, order) for v in stage.values))
    starts = how.starts
    if starts is not None:
        starts = (*starts, *(tangent(s, active, order) for s in starts))
    return Stage(targets, Scan(how.index, how.backwards, starts), values)
