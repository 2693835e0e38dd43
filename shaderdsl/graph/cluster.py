"""Stages that are to be one kernel, and the domains that they run over.

common_domain(a, b)     # the domain of both together, None where they have none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shaderdsl.spec.axes import indices_of, reads_of, walk
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.notation import Bound, Index, Reduction, Scalar, Scan, Stage
from shaderdsl.spec.rewrite import rebuilt, with_scalars

Span = tuple[tuple[int, ...], frozenset[int] | None]
"""A domain's extents, and the places in it that are reduced over; None where nothing is."""


@dataclass(slots=True, eq=False)
class Cluster:
    """Stages that are to be one kernel, by their numbers. domain: its extents, None where a stage stands alone.

    swept: the places in the domain that are reduced over; None where nothing is. partials: reductions over all the others instead.

    makes: the tensors that they make; `left` are those that something outside needs. reads: those that they read and do not make.
    """

    stages: set[int]
    domain: tuple[int, ...] | None
    swept: frozenset[int] | None
    partials: set[str]
    makes: set[str]
    left: set[str]
    reads: set[str]
    first: int
    last: int


def natural_order(stage: Stage) -> tuple[str, ...]:
    """A stage's indices in the order in which memory has them: those of a map as it stores, of a reduction as it reads most."""
    names = tuple(indices_of(stage))
    if not isinstance(stage.how, Reduction):
        return names
    best: tuple[str, ...] = ()
    for read in reads_of(stage):
        used = tuple(dict.fromkeys(p.name for i in read.indices for p in walk(i) if isinstance(p, Index)))
        best = used if len(used) > len(best) else best
    out = [b.name for b in stage.targets[0].bounds]
    kept = [n for n in best if n in out]
    complete = len(best) == len(names) and kept == out
    return best if complete else names


def footprint(stage: Stage, order: Sequence[str]) -> tuple[tuple[int, ...] | None, frozenset[int] | None]:
    """The domain of a stage, and the places of it that are reduced over; None for what is computed alone."""
    sizes = extents(stage)
    if any(n == 0 for n in sizes.values()):
        return None, None
    domain = tuple(sizes[n] for n in order)
    match stage.how:
        case None:
            return domain, None
        case Reduction(_, over):
            names = {b.name for b in over}
            return domain, frozenset(p for p, n in enumerate(order) if n in names)
        case Scan():
            return None, None


def common_domain(a: Cluster, b: Cluster) -> Span | None:
    """The domain of two clusters together: the same, or that of one has the other's as its rows."""
    if len(a.domain or ()) < len(b.domain or ()):
        a, b = b, a
    domain, inner = a.domain or (), b.domain or ()
    if domain == inner:
        swept = {s for s in (a.swept, b.swept) if s is not None}
        return (domain, next(iter(swept), None)) if len(swept) < 2 else None
    if b.swept is not None:
        return None
    if a.swept is None:
        rows = len(inner)
        return (domain, frozenset(range(rows, len(domain)))) if rows and domain[:rows] == inner else None
    kept = tuple(n for p, n in enumerate(domain) if p not in a.swept)
    return (domain, a.swept) if kept == inner else None


def shown(cluster: Cluster) -> str:
    """A domain as messages show it: what is reduced over in brackets."""
    swept = cluster.swept or ()
    return " x ".join(f"({n})" if p in swept else str(n) for p, n in enumerate(cluster.domain or ())) or "one element"


def with_indices(stage: Stage, names: Mapping[str, str]) -> Stage:
    """A stage whose indices have other names."""

    def leaf(scalar: Scalar) -> Scalar:
        if isinstance(scalar, Index):
            return Index(names[scalar.name])
        return rebuilt(scalar, leaf)

    def bounds(given: Sequence[Bound]) -> tuple[Bound, ...]:
        return tuple(Bound(names[b.name], b.extent) for b in given)

    targets = tuple(replace(t, bounds=bounds(t.bounds)) for t in stage.targets)
    how = stage.how
    if isinstance(how, Reduction):
        how = replace(how, over=bounds(how.over))
    return with_scalars(replace(stage, targets=targets, how=how), leaf)
