"""Fusion: which stages of a graph one kernel computes, and why others stay apart.

found = fuse(flat)          # found.groups in order; found.refusals say what kept two groups apart

Stages join along what one reads of the other. A group is legal if its stages share one domain, each reads what another makes at its own place, no
path leads out of it and back, and its arrays can be bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from shaderdsl.graph.flatten import Flat
from shaderdsl.schedule.group import Group, Kind
from shaderdsl.schedule.split import BINDINGS
from shaderdsl.spec.axes import indices_of, reads_of, walk
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.grid import is_gather
from shaderdsl.spec.notation import (
    Bound,
    Index,
    OpSpec,
    Reduction,
    Scalar,
    ScalarInput,
    Scan,
    Stage,
    TensorInput,
)
from shaderdsl.spec.rewrite import parameters, rebuilt


@dataclass(slots=True, eq=False)
class Cluster:
    """Stages that are to be one kernel, by their numbers. domain and split as in a Group; None where a stage stands alone.

    makes: the tensors that they make; `left` are those that something outside needs. reads: those that they read and do not make.
    """

    stages: set[int]
    domain: tuple[int, ...] | None
    split: int | None
    makes: set[str]
    left: set[str]
    reads: set[str]
    first: int
    last: int


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


def fuse(flat: Flat, *, enabled: bool = True) -> Fused:
    """The groups of a graph. enabled: else every stage is a kernel."""
    return Fuser(flat).run(enabled)


@dataclass(slots=True, eq=False)
class Fuser:
    flat: Flat
    cluster_of: dict[str, Cluster] = field(default_factory=dict[str, Cluster])
    users: dict[str, set[int]] = field(default_factory=dict[str, "set[int]"])
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
        groups = [self.group(c) for c in self.ordered()]
        return Fused(tuple(groups), tuple(self.refusals))

    def single(self, number: int, stage: Stage) -> Cluster:
        domain, split = footprint(stage)
        makes = {t.name for t in stage.targets}
        reads = {r.tensor for r in reads_of(stage)} - makes
        return Cluster({number}, domain, split, makes, set(makes), reads, number, number)

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

    def join(self, a: Cluster, b: Cluster) -> str | None:
        """Make two clusters one, or say why not."""
        if a.domain is None or b.domain is None:
            return f"{self.word(a if a.domain is None else b)} is computed alone"
        merged = common_domain(a, b)
        if merged is None:
            return f"{self.word(a)} runs over {shown(a)}, {self.word(b)} over {shown(b)}"
        elsewhere = self.elsewhere(a, b) or self.elsewhere(b, a)
        if elsewhere is not None:
            return elsewhere
        reads, left = (a.reads - b.makes) | (b.reads - a.makes), self.left_by(a, b)
        if len(reads) + len(left) > BINDINGS:
            return f"together they would bind {len(reads) + len(left)} arrays, a kernel binds {BINDINGS}"
        if self.passes_outside(a, b):
            return "another kernel between them needs the one and is needed by the other"
        if len(a.stages) < len(b.stages):
            a, b = b, a
        a.domain, a.split = merged
        a.stages |= b.stages
        a.makes |= b.makes
        a.reads, a.left = reads, left
        a.first, a.last = min(a.first, b.first), max(a.last, b.last)
        self.cluster_of |= dict.fromkeys(b.makes, a)
        for number in b.stages:
            self.clusters[number] = a
        return None

    def word(self, cluster: Cluster) -> str:
        return self.stages[cluster.last].targets[0].name

    def elsewhere(self, reader: Cluster, maker: Cluster) -> str | None:
        """Why some stage does not read what another makes at its own place."""
        between = reader.reads & maker.makes
        for number in sorted({u for n in between for u in self.users[n]} & reader.stages):
            stage = self.stages[number]
            own = tuple(map(Index, indices_of(stage)))
            for read in reads_of(stage):
                if read.tensor in between and read.indices != own[: len(self.flat.shapes[read.tensor])]:
                    return f"{stage.targets[0].name} reads {read.tensor} elsewhere than at its own place"
        return None

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
        names = self.domain_names(cluster, stages)
        renamed = [with_indices(s, dict(zip(indices_of(s), names))) for s in stages]
        return self.made(cluster, renamed, dict(zip(names, cluster.domain)), Kind.ROWS)

    def domain_names(self, cluster: Cluster, stages: Sequence[Stage]) -> list[str]:
        """Names for the domain: those of the first stage that has all of it."""
        count = len(cluster.domain or ())
        full = next(p for s in stages if len(p := indices_of(s)) == count)
        taken = {i.name for i in self.flat.spec.inputs} | {t.name for s in stages for t in s.targets}
        return [free(n, taken) for n in full]

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
        return Group(name, kind, spec, domain, cluster.split if kind is Kind.ROWS else None, shapes, dtypes)


def starts_of(stage: Stage) -> tuple[Scalar, ...]:
    return (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()


def free(wanted: str, taken: set[str]) -> str:
    number, found = 1, wanted
    while found in taken:
        number += 1
        found = f"{wanted}{number}"
    taken.add(found)
    return found


def footprint(stage: Stage) -> tuple[tuple[int, ...] | None, int | None]:
    """The domain of a stage, and how much of it are rows; None for what is computed alone."""
    sizes = extents(stage)
    if any(n == 0 for n in sizes.values()) or has_gather(stage):
        return None, None
    match stage.how:
        case None:
            return tuple(sizes.values()), None
        case Reduction():
            if not along_rows(stage):
                return None, None
            return tuple(sizes.values()), len(stage.targets[0].bounds)
        case Scan():
            return None, None


def has_gather(stage: Stage) -> bool:
    return any(is_gather(i) for r in reads_of(stage) for i in r.indices)


def along_rows(stage: Stage) -> bool:
    """Whether neighbours in memory are reduced together: the last index of what is read most is reduced over last."""
    if not isinstance(stage.how, Reduction):
        return False
    own = [b.name for b in stage.targets[0].bounds]
    over = [b.name for b in stage.how.over]
    reads = list(reads_of(stage))
    widest = max((len({p.name for i in r.indices for p in walk(i) if isinstance(p, Index)}) for r in reads), default=0)
    for read in reads:
        used = [p.name for i in read.indices for p in walk(i) if isinstance(p, Index)]
        if len(set(used)) == widest and used and used[-1] in own:
            return False
    return bool(over)


def common_domain(a: Cluster, b: Cluster) -> tuple[tuple[int, ...], int | None] | None:
    """The domain of two clusters together: the same, or that of one has the other's as its rows."""
    if len(a.domain or ()) < len(b.domain or ()):
        a, b = b, a
    domain, inner = a.domain or (), b.domain or ()
    if domain == inner:
        splits = {s for s in (a.split, b.split) if s is not None}
        return (domain, next(iter(splits), None)) if len(splits) < 2 else None
    rows = len(inner)
    if b.split is not None or domain[:rows] != inner or a.split not in (None, rows):
        return None
    return (domain, rows) if rows or a.split is not None else None


def shown(cluster: Cluster) -> str:
    sizes = [str(n) for n in cluster.domain or ()]
    if cluster.split is None:
        return " x ".join(sizes) or "one element"
    return f"{' x '.join(sizes[: cluster.split]) or '1'} rows of {' x '.join(sizes[cluster.split :])}"


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
    return replace(stage, targets=targets, how=how, values=tuple(map(leaf, stage.values)))
