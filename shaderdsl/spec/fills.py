"""Fills through which a gradient flows, as choices: what is read out of range then has a slope like any other value.

y[t] = x[t - 1; w[0]]       becomes     y[t] = where(t - 1 >= 0 and t - 1 < size(t), x[t - 1], w[0])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from shaderdsl.spec.extents import Extents, extents_of, unused
from shaderdsl.spec.notation import (
    Bound,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Read,
    Reduction,
    Scalar,
    Scan,
    Size,
    Stage,
)
from shaderdsl.spec.rewrite import rebuilt, subscalars, substituted, tensors, with_scalars


def chosen_fills(spec: OpSpec, active: frozenset[str]) -> OpSpec:
    """The spec with a choice for every read whose fill depends on one of these tensors. Every input axis has a name."""
    extents = extents_of(spec)
    return replace(spec, stages=tuple(chosen_in(s, active, extents) if filled(s, active) else s for s in spec.stages))


def filled(stage: Stage, active: frozenset[str]) -> bool:
    return any(moves(part, active) for v in (*stage.values, *starts_of(stage)) for part in subscalars(v))


def starts_of(stage: Stage) -> tuple[Scalar, ...]:
    return (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()


def moves(part: Scalar, active: frozenset[str]) -> bool:
    """Whether a part is a read whose fill depends on one of these tensors."""
    return isinstance(part, Read) and part.fill is not None and bool(tensors(part.fill) & active)


def chosen_in(stage: Stage, active: frozenset[str], extents: Extents) -> Stage:
    """One stage with choices."""
    stage = apart_from_sizes(stage, extents)
    bounds = extents.stage(stage)

    def chosen(scalar: Scalar) -> Scalar:
        inner = rebuilt(scalar, chosen)
        if not isinstance(inner, Read) or inner.fill is None or not moves(scalar, active):
            return inner
        axes = zip(inner.indices, extents.tensors[inner.tensor])
        limits = [limit for i, size in axes for limit in inside(i, size, bounds)]
        looked_up = any(map(tensors, inner.indices))  # 0 still allows such an index to lie outside
        plain = replace(inner, fill=Number(0) if looked_up else None)
        if not limits:
            return plain
        condition = reduce(lambda left, right: Operation(Operator.AND, (left, right)), limits)
        return Function("where", (condition, plain, inner.fill))

    return with_scalars(stage, chosen)


def inside(index: Scalar, size: Scalar, bounds: Mapping[str, Scalar]) -> list[Scalar]:
    """What holds where an index lies on its axis; nothing where it runs over that axis."""
    if not isinstance(index, Index):
        return [Operation(Operator.GE, (index, Number(0))), Operation(Operator.LT, (index, size))]
    return [] if bounds[index.name] == size else [Operation(Operator.LT, (index, size))]


def apart_from_sizes(stage: Stage, extents: Extents) -> Stage:
    """The stage with other names for indices that are not as long as the axis of their name: its size is spoken of."""
    bounds = extents.stage(stage)
    taken = set(extents.named) | set(bounds)
    clashing = [n for n, extent in bounds.items() if extents.named.get(n) == Size(n) != extent]
    names = {n: unused(f"{n}_at", taken) for n in clashing}
    indices: dict[str, Scalar] = {n: Index(new) for n, new in names.items()}

    def renamed(bound: Bound) -> Bound:
        return Bound(names[bound.name], bounds[bound.name]) if bound.name in names else bound

    how = stage.how
    if isinstance(how, Reduction):
        how = replace(how, over=tuple(map(renamed, how.over)))
    if isinstance(how, Scan):
        starts = None if how.starts is None else tuple(substituted(s, indices) for s in how.starts)
        how = replace(how, index=names.get(how.index, how.index), starts=starts)
    targets = tuple(replace(t, bounds=tuple(map(renamed, t.bounds))) for t in stage.targets)
    return replace(stage, targets=targets, how=how, values=tuple(substituted(v, indices) for v in stage.values))
