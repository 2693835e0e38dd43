"""Derived stages that only give a tensor another name are read by the name it had.

d_p[b, t] = d_y[b, t]
d_x[b, t] = sum(k) w[k] * d_p[b, t + k]          is       d_x[b, t] = sum(k) w[k] * d_y[b, t + k]
"""

from __future__ import annotations

from dataclasses import replace

from shaderdsl.spec.extents import Extents, extents_of
from shaderdsl.spec.notation import Index, OpSpec, Read, Stage
from shaderdsl.spec.rewrite import retargeted


def unaliased(spec: OpSpec, count: int) -> OpSpec:
    """`spec` without such stages after the first `count`, which are derived. Outputs keep theirs."""
    extents = extents_of(spec)
    names: dict[str, str] = {}
    stages: list[Stage] = []

    for number, stage in enumerate(spec.stages):
        if number >= count:
            stage = replace(stage, values=tuple(retargeted(v, names) for v in stage.values))
            original = aliased(stage, extents)
            if original is not None and stage.targets[0].name not in spec.outputs:
                names[stage.targets[0].name] = original
                continue
        stages.append(stage)
    return replace(spec, stages=tuple(stages))


def aliased(stage: Stage, extents: Extents) -> str | None:
    """The tensor that a stage is, element by element."""
    value, target = stage.values[0], stage.targets[0]
    if stage.how is not None or not isinstance(value, Read) or value.fill is not None:
        return None
    same = value.indices == tuple(Index(b.name) for b in target.bounds)
    return value.tensor if same and extents.tensors[value.tensor] == extents.tensors[target.name] else None
