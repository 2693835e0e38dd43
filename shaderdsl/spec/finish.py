"""The last touch of a derived spec: stages that are needed alone, extents that are not plain alone, and names in order.

p3[i] = sum(j) w[j] * d_y[i, j]
d_x[i] = p3[i]                                  is      d_x[i] = sum(j) w[j] * d_y[i, j]
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.extents import extents_of, taken_names, unused
from shaderdsl.spec.notation import (
    Bound,
    Dtype,
    Function,
    Index,
    Number,
    OpSpec,
    Read,
    Reduction,
    Scalar,
    Scan,
    Stage,
)
from shaderdsl.spec.rewrite import retargeted, tensors, with_scalars


def finished(spec: OpSpec, before: OpSpec) -> OpSpec:
    """A spec whose derived stages are those of `before`, made short, and new sums."""
    old = {t.name for s in before.stages for t in s.targets}
    return numbered(unwritten(live(under_outputs(spec, old))), old)


def under_outputs(spec: OpSpec, old: set[str]) -> OpSpec:
    """`spec` with a new sum under the name of the output that it is."""
    extents = extents_of(spec).tensors
    sums = {s.targets[0].name: s for s in spec.stages if s.targets[0].name not in old}
    names: dict[str, str] = {}
    for stage in spec.stages:
        target, value = stage.targets[0], stage.values[0]
        if stage.how is not None or target.name not in spec.outputs or not isinstance(value, Read):
            continue
        own = tuple(Index(b.name) for b in target.bounds)
        found = sums.pop(value.tensor, None) if value.indices == own else None
        same = found is not None and found.targets[0].bounds and indices(found) == own
        if same and extents[value.tensor] == extents[target.name]:
            names[value.tensor] = target.name
    kept = [s for s in spec.stages if s.targets[0].name not in names.values()]
    return replace(spec, stages=tuple(renamed(s, names) for s in kept))


def indices(stage: Stage) -> tuple[Index, ...]:
    return tuple(Index(b.name) for b in stage.targets[0].bounds)


def numbered(spec: OpSpec, old: set[str]) -> OpSpec:
    """`spec` with the first free names for its new sums, in order."""
    new = {t.name for s in spec.stages for t in s.targets} - old
    taken = taken_names(spec) - new
    names = {t.name: unused("p", taken) for s in spec.stages for t in s.targets if t.name in new}
    return replace(spec, stages=tuple(renamed(s, names) for s in spec.stages))


def renamed(stage: Stage, names: dict[str, str]) -> Stage:
    """A stage with other names for tensors."""
    targets = tuple(replace(t, name=names.get(t.name, t.name)) for t in stage.targets)
    return with_scalars(replace(stage, targets=targets), lambda scalar: retargeted(scalar, names))


def unwritten(spec: OpSpec) -> OpSpec:
    """`spec` without the extents that an index takes by itself."""
    extents = extents_of(spec)
    stages: list[Stage] = []
    for stage in spec.stages:

        def short(bound: Bound, stage: Stage = stage) -> Bound:
            alone = extents.every(bound.name, stage)
            found = alone or [e for e in (extents.leading(bound.name, stage),) if e is not None]
            wanted = extents.extent(bound.name, bound.extent, stage) if bound.extent is not None else None
            return Bound(bound.name) if found and all(e == wanted for e in found) else bound

        targets = tuple(replace(t, bounds=tuple(map(short, t.bounds))) for t in stage.targets)
        how = (
            replace(stage.how, over=tuple(map(short, stage.how.over)))
            if isinstance(stage.how, Reduction)
            else stage.how
        )
        stages.append(replace(stage, targets=targets, how=how))
    return replace(spec, stages=tuple(stages))


def live(spec: OpSpec) -> OpSpec:
    """`spec` without stages that no output needs."""
    needed = set(spec.outputs)
    kept: list[Stage] = []
    for stage in reversed(spec.stages):
        if not needed & {t.name for t in stage.targets}:
            continue
        kept.append(stage)
        for value in (*stage.values, *((stage.how.starts or ()) if isinstance(stage.how, Scan) else ())):
            needed |= tensors(value)
    return replace(spec, stages=tuple(reversed(kept)))


def with_float_outputs(spec: OpSpec) -> OpSpec:
    """The spec with gradients of nothing as floats: 0.0, not the whole number 0."""
    dtypes = stage_dtypes(spec)
    whole = {o for o in spec.outputs if dtypes[o] is not Dtype.F32}
    stages = tuple(replace(s, values=tuple(map(as_float, s.values))) if named_in(s, whole) else s for s in spec.stages)
    return replace(spec, stages=stages) if whole else spec


def named_in(stage: Stage, names: Collection[str]) -> bool:
    return any(t.name in names for t in stage.targets)


def as_float(scalar: Scalar) -> Scalar:
    return Number(float(scalar.value)) if isinstance(scalar, Number) else Function("f32", (scalar,))
