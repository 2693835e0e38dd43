"""Leading axes made plain: `x[..., i]` for arguments of known rank is `x[b, i]`, `x[b, b2, i]` or `x[i]`.

specialise(parse_spec("norm", "s[...] = sum(i) x[..., i] ** 2"), {"x": 3})     s[b, b2] = sum(i) x[b, b2, i] ** 2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import Bound, Index, OpSpec, Read, Scalar, Scan, Stage, TensorInput
from shaderdsl.spec.rewrite import rebuilt, subscalars


def specialise(spec: OpSpec, ranks: Mapping[str, int]) -> OpSpec:
    """`spec` for arguments with these numbers of axes. A spec without `...` is itself."""
    depth = {i.name: ranks[i.name] - len(i.axes) for i in spec.inputs if isinstance(i, TensorInput) and i.leading}
    if not depth:
        return spec
    taken = {b.name for s in spec.stages for t in s.targets for b in t.bounds} | axis_names(spec)
    names = [unused("b", taken) for _ in range(max(depth.values()))]
    stages: list[Stage] = []
    for stage in spec.stages:
        stages.append(plain_stage(stage, depth, names))
        own = max((depth.get(r.tensor, 0) for r in leading_reads(stage)), default=0)
        depth |= {t.name: own for t in stage.targets if t.leading}
    inputs = tuple(plain_input(i, depth, names) if isinstance(i, TensorInput) else i for i in spec.inputs)
    return replace(spec, inputs=inputs, stages=tuple(stages))


def axis_names(spec: OpSpec) -> set[str]:
    return {a for i in spec.inputs if isinstance(i, TensorInput) for a in i.axes if a is not None}


def plain_input(given: TensorInput, depth: Mapping[str, int], names: list[str]) -> TensorInput:
    """An input's leading axes by the last of the names, as numpy broadcasts."""
    if not given.leading:
        return given
    axes = last(names, depth[given.name])
    return replace(given, axes=(*axes, *given.axes), leading=False)


def last(names: list[str], count: int) -> list[str]:
    return names[len(names) - count :]


def leading_reads(stage: Stage) -> list[Read]:
    starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
    return [s for v in (*stage.values, *starts) for s in subscalars(v) if isinstance(s, Read) and s.leading]


def plain_stage(stage: Stage, depth: Mapping[str, int], names: list[str]) -> Stage:
    """One stage with its leading axes written out."""
    own = max((depth.get(r.tensor, 0) for r in leading_reads(stage)), default=0)
    inner = {t.name: own for t in stage.targets if t.leading}

    def plain(scalar: Scalar) -> Scalar:
        scalar = rebuilt(scalar, plain)
        if isinstance(scalar, Read) and scalar.leading:
            count = inner.get(scalar.tensor, depth.get(scalar.tensor, 0))
            front = tuple(Index(n) for n in last(names, count))
            return replace(scalar, indices=(*front, *scalar.indices), leading=False)
        return scalar

    targets = tuple(
        replace(t, bounds=(*(Bound(n) for n in last(names, own)), *t.bounds), leading=False) if t.leading else t
        for t in stage.targets
    )
    how = stage.how
    if isinstance(how, Scan) and how.starts is not None:
        how = replace(how, starts=tuple(map(plain, how.starts)))
    return replace(stage, targets=targets, how=how, values=tuple(map(plain, stage.values)))
