"""Fusion: which stages of a graph one kernel computes, and why others stay apart.

found = Fuser(flat).run(enabled=True)       # found.groups in order; found.refusals say what kept two groups apart

Stages join along what one reads of the other. A group is legal if its stages share one domain, each reads what another makes at its own place, no
path leads out of it and back, and its arrays can be bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from shaderdsl.graph.cluster import Cluster, Span, common_domain, footprint, natural_order, shown, with_indices
from shaderdsl.graph.flatten import Flat
from shaderdsl.schedule.fixed import LANES
from shaderdsl.schedule.group import Group, Kind, is_reduction
from shaderdsl.schedule.row_shape import LONGEST_HELD
from shaderdsl.schedule.split import BINDINGS
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import (
    Index,
    OpSpec,
    Scalar,
    ScalarInput,
    Scan,
    Stage,
    TensorInput,
)
from shaderdsl.spec.rewrite import parameters


@dataclass(frozen=True, slots=True)
class Refusal:
    """Two kernels that are not one: the tensor between them, and why."""

    tensor: str
    reader: str
    reason: str


@dataclass(frozen=True, slots=True)
class Fused:
    """Groups in an order in which they can run, and what was refused."""

    groups: tuple[Group, ...]
    refusals: tuple[Refusal, ...]


@dataclass(slots=True, eq=False)
class Fuser:
    flat: Flat
    cluster_of: dict[str, Cluster] = field(default_factory=dict[str, Cluster])
    users: dict[str, set[int]] = field(default_factory=dict[str, "set[int]"])
    orders: list[tuple[str, ...]] = field(default_factory=list["tuple[str, ...]"])
    clusters: list[Cluster] = field(default_factory=list["Cluster"])
    refusals: list[Refusal] = field(default_factory=list[Refusal])

    @property
    def stages(self) -> tuple[Stage, ...]:
        return self.flat.spec.stages

    def run(self, enabled: bool) -> Fused:
        for number, stage in enumerate(self.stages):
            for read in reads_of(stage):
                self.users.setdefault(read.tensor, set()).add(number)
        for number, stage in enumerate(self.stages):
            cluster = self.single(number, stage)
            self.clusters.append(cluster)
            self.cluster_of |= dict.fromkeys(cluster.makes, cluster)
            if enabled:
                self.join_producers(stage)
        if enabled:
            self.join_siblings()
        groups = [self.group(c) for c in self.ordered()]
        return Fused(tuple(groups), tuple(self.refusals))

    def single(self, number: int, stage: Stage) -> Cluster:
        order = natural_order(stage)
        self.orders.append(order)
        domain, swept = footprint(stage, order)
        makes = {t.name for t in stage.targets}
        reads = {r.tensor for r in reads_of(stage)} - makes
        return Cluster({number}, domain, swept, set(), makes, set(makes), reads, number, number)

    def join_producers(self, stage: Stage) -> None:
        """Join a new stage with what made the tensors that it reads, the latest first."""
        own = stage.targets[0].name
        made = {r.tensor: None for r in reads_of(stage) if r.tensor in self.cluster_of and r.tensor != own}
        for name in sorted(made, key=lambda n: -self.cluster_of[n].last):
            producer, consumer = self.cluster_of[name], self.cluster_of[own]
            if producer is consumer:
                continue
            reason = self.join(producer, consumer)
            if reason is not None:
                self.refusals.append(Refusal(name, own, reason))

    def join_siblings(self) -> None:
        """Join what runs over one domain and reads one tensor, so that it is read once."""
        for name in [i.name for i in self.flat.spec.inputs] + [t.name for s in self.stages for t in s.targets]:
            readers = list(
                {id(c): c for n in sorted(self.users.get(name, ())) if (c := self.clusters[n]).domain}.values()
            )
            for number, second in enumerate(readers):
                for first in readers[:number]:
                    a, b = self.current(first), self.current(second)
                    if a is not b and a.domain == b.domain and self.join(a, b) is None:
                        break

    def current(self, cluster: Cluster) -> Cluster:
        """The cluster that one has become part of."""
        return self.clusters[cluster.first]

    def join(self, a: Cluster, b: Cluster) -> str | None:
        """Make two clusters one, or say why not."""
        if a.domain is None or b.domain is None:
            return f"{self.word(a if a.domain is None else b)} is computed alone"
        partials = self.partials_of(a, b)
        merged = common_domain(a, b) if partials is None else partials[0]
        if merged is None:
            return f"{self.word(a)} runs over {shown(a)}, {self.word(b)} over {shown(b)}"
        beside = a.partials | b.partials if partials is None else a.partials | b.partials | partials[1]
        elsewhere = self.elsewhere(a, b, merged, beside) or self.elsewhere(b, a, merged, beside)
        if elsewhere is not None:
            return elsewhere
        reads, left = (a.reads - b.makes) | (b.reads - a.makes), self.left_by(a, b)
        if len(reads) + len(left) > BINDINGS:
            return f"together they would bind {len(reads) + len(left)} arrays, a kernel binds {BINDINGS}"
        if self.passes_outside(a, b):
            return "another kernel between them needs the one and is needed by the other"
        self.unite(a, b, merged, beside, reads, left)
        return None

    def unite(
        self, a: Cluster, b: Cluster, merged: Span | None, beside: set[str], reads: set[str], left: set[str]
    ) -> None:
        """Make two clusters one, which is `a` or `b`."""
        if len(a.stages) < len(b.stages):
            a, b = b, a
        a.domain, a.swept = merged or (None, None)
        a.partials = beside
        a.stages |= b.stages
        a.makes |= b.makes
        a.reads, a.left = reads, left
        a.first, a.last = min(a.first, b.first), max(a.last, b.last)
        self.cluster_of |= dict.fromkeys(b.makes, a)
        for number in b.stages:
            self.clusters[number] = a

    def partials_of(self, a: Cluster, b: Cluster) -> tuple[Span, set[str]] | None:
        """Two clusters of which one reduces rows and the other the columns of the same domain: theirs, and the tensors that need all rows."""
        if a.domain != b.domain or a.domain is None or a.swept is None or b.swept is None or a.swept == b.swept:
            return None
        rows, columns = (a, b) if len(a.domain) - 1 in a.swept else (b, a)
        others = frozenset(range(len(a.domain))) - (rows.swept or frozenset())
        if columns.swept != others or rows.swept != frozenset(range(len(others), len(a.domain))) or columns.partials:
            return None
        length = math.prod(n for p, n in enumerate(a.domain) if p not in others)
        made = {t.name for n in columns.stages for t in self.stages[n].targets if is_reduction(self.stages[n])}
        level = [n for n in columns.stages if len(self.orders[n]) < len(a.domain)]
        level += [n for n in columns.stages if any(r.tensor in made for r in reads_of(self.stages[n]))]
        if level or length > (LONGEST_HELD if length % LANES == 0 else LONGEST_HELD // LANES):
            return None
        return (a.domain, rows.swept), made

    def word(self, cluster: Cluster) -> str:
        return self.stages[cluster.last].targets[0].name

    def elsewhere(self, reader: Cluster, maker: Cluster, merged: Span, partials: AbstractSet[str]) -> str | None:
        """Why some stage does not read what another makes at its own place."""
        between = reader.reads & maker.makes
        for number in sorted({u for n in between for u in self.users[n]} & reader.stages):
            stage = self.stages[number]
            own = self.places(number, merged)
            for read in reads_of(stage):
                if read.tensor not in between:
                    continue
                if read.tensor in partials:
                    return f"{read.tensor} is whole only after all rows"
                axes = self.axes(read.tensor, merged)
                if any(a not in own for a in axes) or read.indices != tuple(Index(own[a]) for a in axes):
                    return f"{stage.targets[0].name} reads {read.tensor} elsewhere than at its own place"
        return None

    def places(self, number: int, merged: Span) -> dict[int, str]:
        """A stage's own indices by their places in a domain."""
        domain, swept = merged
        order = self.orders[number]
        if len(order) == len(domain):
            return dict(enumerate(order))
        return dict(zip([p for p in range(len(domain)) if p not in (swept or ())], order))

    def axes(self, tensor: str, merged: Span) -> list[int]:
        """The places in a domain that a tensor of it runs over."""
        domain, swept = merged
        if len(self.flat.shapes[tensor]) == len(domain):
            return list(range(len(domain)))
        return [p for p in range(len(domain)) if p not in (swept or ())]

    def left_by(self, a: Cluster, b: Cluster) -> set[str]:
        """What two clusters together must leave in memory: results, and what other stages read."""
        outputs = self.flat.spec.outputs
        inside = (a, b)
        count = len(self.clusters)
        return {
            n
            for n in a.left | b.left
            if n in outputs or any(u >= count or self.clusters[u] not in inside for u in self.users.get(n, ()))
        }

    def passes_outside(self, a: Cluster, b: Cluster) -> bool:
        """Whether a path leads from one of two clusters through a third to the other."""
        least = min(a.first, b.first)
        seen: set[int] = set()
        stack = [self.cluster_of[n] for c in (a, b) for n in c.reads if n in self.cluster_of]
        stack = [c for c in stack if c is not a and c is not b]
        while stack:
            cluster = stack.pop()
            if id(cluster) in seen or cluster.last < least:
                continue
            seen.add(id(cluster))
            for name in cluster.reads:
                before = self.cluster_of.get(name)
                if before is a or before is b:
                    return True
                if before is not None:
                    stack.append(before)
        return False

    def ordered(self) -> list[Cluster]:
        """Clusters, each after those that make what it reads."""
        done: dict[int, Cluster] = {}
        for first in self.clusters:
            stack = [first] if id(first) not in done else []
            while stack:
                cluster = stack[-1]
                waits = [self.cluster_of[n] for n in sorted(cluster.reads) if n in self.cluster_of]
                waits = [c for c in waits if id(c) not in done]
                stack += waits
                if not waits:
                    done[id(cluster)] = cluster
                    stack.pop()
        return list(done.values())

    def group(self, cluster: Cluster) -> Group:
        """A cluster as a spec of its own, its indices by the names of the domain."""
        stages = [self.stages[n] for n in sorted(cluster.stages)]
        if cluster.domain is None:
            return self.made(cluster, stages, extents(stages[0]), Kind.PLAIN)
        names = self.domain_names(cluster)
        span = (cluster.domain, cluster.swept)
        renamed = [
            with_indices(self.stages[n], {own: names[p] for p, own in self.places(n, span).items()})
            for n in sorted(cluster.stages)
        ]
        return self.made(cluster, renamed, dict(zip(names, cluster.domain)), Kind.ROWS)

    def domain_names(self, cluster: Cluster) -> list[str]:
        """Names for the domain: those of the first stage that has all of it."""
        count = len(cluster.domain or ())
        full = next(self.orders[n] for n in sorted(cluster.stages) if len(self.orders[n]) == count)
        made = (t.name for n in cluster.stages for t in self.stages[n].targets)
        taken = {i.name for i in self.flat.spec.inputs} | set(made)
        return [unused(n, taken) for n in full]

    def made(self, cluster: Cluster, stages: Sequence[Stage], domain: Mapping[str, int], kind: Kind) -> Group:
        flat = self.flat
        used = {p for s in stages for v in (*s.values, *starts_of(s)) for p in parameters(v)}
        numbers = [i for i in flat.spec.inputs if isinstance(i, ScalarInput) and i.name in used]
        reads = [n for n in dict.fromkeys(r.tensor for s in stages for r in reads_of(s)) if n in cluster.reads]
        inputs = [TensorInput(n, tuple(f"{n}_{p}" for p in range(len(flat.shapes[n]))), flat.dtypes[n]) for n in reads]
        written = tuple(t.name for s in stages for t in s.targets if t.name in cluster.left)
        origins = dict.fromkeys(flat.origins[t.name] for s in stages for t in s.targets)
        name = "_".join(list(origins)[:4]).replace(".", "_")
        spec = OpSpec(name, (*inputs, *numbers), tuple(stages), written)
        known = {*reads, *(t.name for s in stages for t in s.targets)}
        shapes = {n: flat.shapes[n] for n in known}
        dtypes = {n: flat.dtypes[n] for n in (*known, *(i.name for i in numbers))}
        swept = None if cluster.swept is None else tuple(n for p, n in enumerate(domain) if p in cluster.swept)
        parts = {n: f"{n}_row_parts" for n in sorted(cluster.partials)}
        return Group(name, kind, spec, domain, swept, shapes, dtypes, parts)


def starts_of(stage: Stage) -> tuple[Scalar, ...]:
    return (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
