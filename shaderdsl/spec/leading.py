"""Leading axes made plain: `x[..., i]` for arguments of known rank is `x[b, i]`, `x[b, b2, i]` or `x[i]`.

specialise(parse_spec("norm", "s[...] = sum(i) x[..., i] ** 2"), {"x": 3})     s[b, b2] = sum(i) x[b, b2, i] ** 2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shaderdsl.spec.axes import indices_of
from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import Bound, Index, OpSpec, Read, Scalar, ScalarInput, Scan, Stage, TensorInput
from shaderdsl.spec.rewrite import rebuilt, subscalars


def specialise(spec: OpSpec, ranks: Mapping[str, int]) -> OpSpec:
    """`spec` for arguments with these numbers of axes. A spec without `...` is itself."""
    given = {i.name: i for i in spec.inputs if isinstance(i, TensorInput)}
    known = {n: ranks[n] if i.leading else len(i.axes) for n, i in given.items()}
    if not any(i.leading for i in given.values()) and not any(map(leading_reads, spec.stages)):
        return spec
    counts: list[int] = []
    for stage in spec.stages:
        counts.append(max((known[r.tensor] - len(r.indices) for r in leading_reads(stage)), default=0))
        known |= {t.name: len(t.bounds) + counts[-1] * t.leading for t in stage.targets}
    depth = max([*counts, *(known[n] - len(i.axes) for n, i in given.items())], default=0)
    taken = {n for s in spec.stages for n in indices_of(s)} | axis_names(spec) | bare_names(spec, known)
    names = [unused("b", taken) for _ in range(depth)]
    stages = tuple(plain_stage(s, known, last(names, own)) for s, own in zip(spec.stages, counts))
    inputs = tuple(plain_input(i, known, names) if isinstance(i, TensorInput) else i for i in spec.inputs)
    return replace(spec, inputs=inputs, stages=stages)


def axis_names(spec: OpSpec) -> set[str]:
    return {a for i in spec.inputs if isinstance(i, TensorInput) for a in i.axes if a is not None}


def bare_names(spec: OpSpec, ranks: Mapping[str, int]) -> set[str]:
    """What stands without brackets: an index of that name would hide it."""
    return {i.name for i in spec.inputs if isinstance(i, ScalarInput)} | {n for n, rank in ranks.items() if rank == 0}


def plain_input(given: TensorInput, ranks: Mapping[str, int], names: list[str]) -> TensorInput:
    """An input's leading axes by the last of the names, as numpy broadcasts."""
    if not given.leading:
        return given
    axes = last(names, ranks[given.name] - len(given.axes))
    return replace(given, axes=(*axes, *given.axes), leading=False)


def last(names: list[str], count: int) -> list[str]:
    return names[len(names) - count :]


def leading_reads(stage: Stage) -> list[Read]:
    starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
    return [s for v in (*stage.values, *starts) for s in subscalars(v) if isinstance(s, Read) and s.leading]


def plain_stage(stage: Stage, ranks: Mapping[str, int], names: list[str]) -> Stage:
    """One stage with its leading axes written out, by names as many as it has."""

    def plain(scalar: Scalar) -> Scalar:
        scalar = rebuilt(scalar, plain)
        if isinstance(scalar, Read) and scalar.leading:
            front = tuple(Index(n) for n in last(names, ranks[scalar.tensor] - len(scalar.indices)))
            return replace(scalar, indices=(*front, *scalar.indices), leading=False)
        return scalar

    targets = tuple(
        replace(t, bounds=(*map(Bound, names), *t.bounds), leading=False) if t.leading else t for t in stage.targets
    )
    how = stage.how
    if isinstance(how, Scan) and how.starts is not None:
        how = replace(how, starts=tuple(map(plain, how.starts)))
    return replace(stage, targets=targets, how=how, values=tuple(map(plain, stage.values)))
