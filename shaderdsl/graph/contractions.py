"""Fusion of contractions: what follows one element by element is computed in its tiles, and contractions that share an operand are one kernel.

    relu(x @ w)                         one kernel: the activation is applied to the sums in registers
    x @ w + (x @ a) @ b                 two: the second product is added up in the tiles of the first
    silu(x @ g) * (x @ u)               one: both sums of an element lie in one invocation
    x @ q, x @ k, x @ v                 one, of three parts, each over its own output

Everything else keeps to the rules of `fuse`, which treats a contraction as a stage that stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from shaderdsl.graph.cluster import Cluster, with_indices
from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.fuse import Fused, Fuser, Refusal
from shaderdsl.graph.tiles import tiled
from shaderdsl.schedule.contraction import Contraction
from shaderdsl.schedule.group import Group, Kind
from shaderdsl.schedule.split import BINDINGS
from shaderdsl.spec.axes import indices_of, reads_of
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import Stage
from shaderdsl.spec.rewrite import subscalars, tensors

MOST_IN_TILE = 4
"""Contractions whose sums one invocation holds."""
MOST_PARTS = 4
"""Contractions side by side in one grid: the text has each of them."""
MOST_FOLLOWING = 64
"""Operations that may follow a contraction in its tiles: they are written out for each vec4 of an invocation's block."""


def fuse(flat: Flat, *, enabled: bool = True) -> Fused:
    """The groups of a graph. enabled: else every stage is a kernel."""
    return Contracting(flat).run(enabled)


@dataclass(slots=True, eq=False)
class Contracting(Fuser):
    """tiles: contractions by the numbers of their stages. part: of each stage in tiles, the first contraction of its tile."""

    tiles: dict[int, Contraction] = field(default_factory=dict[int, Contraction])
    part: dict[int, int] = field(default_factory=dict[int, int])

    def single(self, number: int, stage: Stage) -> Cluster:
        cluster = Fuser.single(self, number, stage)
        found = tiled(stage, self.flat)
        if found is not None:
            self.tiles[number] = found
            self.part[number] = number
            cluster.domain = cluster.swept = None
        return cluster

    def join_siblings(self) -> None:
        Fuser.join_siblings(self)
        self.refusals = [r for r in self.refusals if not self.concerns_tiles(r)]
        self.join_endings()
        apart = [r for r in self.refusals if self.cluster_of[r.tensor] is not self.cluster_of[r.reader]]
        self.refusals = list(dict.fromkeys(apart))
        self.join_parts()

    def concerns_tiles(self, refusal: Refusal) -> bool:
        return self.is_tiles(self.cluster_of[refusal.tensor]) or self.is_tiles(self.cluster_of[refusal.reader])

    def is_tiles(self, cluster: Cluster) -> bool:
        return not cluster.stages.isdisjoint(self.tiles)

    def join_endings(self) -> None:
        """Join contractions with what reads their sums."""
        for number in range(len(self.stages)):
            reader = self.clusters[number]
            if number != reader.last:
                continue
            made = [n for n in reader.reads if n in self.cluster_of and self.is_tiles(self.cluster_of[n])]
            for name in sorted(made, key=lambda n: (-self.cluster_of[n].last, n)):
                maker, reader = self.cluster_of[name], self.clusters[number]
                if maker is reader:
                    continue
                reason = self.end(maker, reader)
                if reason is not None:
                    self.refusals.append(Refusal(name, self.word(reader), reason))

    def end(self, maker: Cluster, reader: Cluster) -> str | None:
        """Compute in a contraction's tiles what follows, which may have tiles of its own already; or say why not."""
        domain = self.domain_of(maker)
        summed = self.summed(maker, reader)
        if summed is not None:
            reason = f"{summed} sums over it, and a tile has a part of what one sum needs"
        elif self.is_tiles(reader):
            reason = self.one_tile(maker, reader)
        elif reader.domain is None:
            reason = f"{self.word(reader)} is computed alone"
        elif reader.swept is not None:
            reason = f"{self.word(reader)} is reduced along its rows, a tile has parts of them"
        elif reader.domain != domain:
            reason = f"{self.word(reader)} runs over another domain than the tiles of {self.word(maker)}"
        elif self.operations(reader.stages) > MOST_FOLLOWING:
            reason = f"{self.word(reader)} has more than {MOST_FOLLOWING} operations, which would be written out for each vec4 of a tile"
        else:
            reason = None
        reason = reason or self.elsewhere(reader, maker, (domain, None), set()) or self.apart(maker, reader)
        if reason is None:
            first = min(n for n in maker.stages if n in self.tiles)
            self.part |= dict.fromkeys(maker.stages | reader.stages, self.part[first])
            self.unite_tiles(maker, reader)
        return reason

    def summed(self, maker: Cluster, reader: Cluster) -> str | None:
        """The contraction of a reader that takes what a maker makes."""
        between = reader.reads & maker.makes
        taken = [n for n in sorted(reader.stages) if n in self.tiles]
        return next((self.tiles[n].name for n in taken if between & {r.tensor for r in reads_of(self.stages[n])}), None)

    def one_tile(self, maker: Cluster, reader: Cluster) -> str | None:
        """Why the contractions of two clusters do not fit in one tile."""
        shapes = {self.shape_of_tile(n) for n in (maker.stages | reader.stages) & self.tiles.keys()}
        if len(shapes) > 1:
            return f"{self.word(maker)} and {self.word(reader)} have tiles over different indices"
        if len((maker.stages | reader.stages) & self.tiles.keys()) > MOST_IN_TILE:
            return f"an invocation holds the sums of at most {MOST_IN_TILE} contractions"
        return None

    def shape_of_tile(self, number: int) -> tuple[tuple[int, ...], ...]:
        """The domain of a contraction's tiles, and which of its places are batches, rows and columns."""
        found, stage = self.tiles[number], self.stages[number]
        own = [b.name for b in stage.targets[0].bounds]
        sizes = extents(stage)
        return tuple(sizes[n] for n in own), *(tuple(map(own.index, names)) for names in found.roles)

    def domain_of(self, cluster: Cluster) -> tuple[int, ...]:
        return self.shape_of_tile(min(n for n in cluster.stages if n in self.tiles))[0]

    def operations(self, numbers: Iterable[int]) -> int:
        return sum(1 for n in numbers for v in self.stages[n].values for _ in subscalars(v))

    def apart(self, a: Cluster, b: Cluster) -> str | None:
        """Why two clusters cannot be one kernel, whatever they compute."""
        count = len((a.reads - b.makes) | (b.reads - a.makes)) + len(self.left_by(a, b))
        if count > BINDINGS:
            return f"together they would bind {count} arrays, a kernel binds {BINDINGS}"
        types = {self.tiles[n].dtype.value for n in (a.stages | b.stages) & self.tiles.keys()}
        if len(types) > 1:
            return f"they sum {' and '.join(sorted(types))}, and shared memory has room for slices of one type"
        if not a.reads.isdisjoint(b.makes):
            return f"{self.word(a)} needs {self.word(b)}"
        if self.passes_outside(a, b):
            return "another kernel between them needs the one and is needed by the other"
        return None

    def unite_tiles(self, a: Cluster, b: Cluster) -> None:
        self.unite(a, b, None, set(), (a.reads - b.makes) | (b.reads - a.makes), self.left_by(a, b))

    def join_parts(self) -> None:
        """Join contractions that share an operand, so that it stays near while all use it."""
        users: dict[str, list[int]] = {}
        for number, found in self.tiles.items():
            for name in sorted(tensors(found.left) | tensors(found.right)):
                users.setdefault(name, []).append(number)
        for name, readers in users.items():
            for place, second in enumerate(readers):
                reasons = [self.beside(first, second) for first in readers[:place]]
                if reasons and None not in reasons and any(reasons):
                    reader = self.stages[second].targets[0].name
                    self.refusals.append(Refusal(name, reader, next(r for r in reasons if r)))

    def beside(self, first: int, second: int) -> str | None:
        """Make the kernels of two contractions parts of one, or say why not; empty where they are no siblings, since one needs the other."""
        a, b = self.clusters[first], self.clusters[second]
        if a is b:
            return None
        if not a.reads.isdisjoint(b.makes) or not b.reads.isdisjoint(a.makes) or self.passes_outside(a, b):
            return ""
        if len({self.part[n] for n in a.stages | b.stages}) > MOST_PARTS:
            return f"a kernel has at most {MOST_PARTS} contractions side by side"
        reason = self.apart(a, b)
        if reason is None:
            self.unite_tiles(a, b)
        return reason

    def group(self, cluster: Cluster) -> Group:
        """A cluster as a spec of its own: each part's indices by the names of its first contraction."""
        if not self.is_tiles(cluster):
            return Fuser.group(self, cluster)
        taken = {i.name for i in self.flat.spec.inputs} | cluster.makes
        domain: dict[str, int] = {}
        names: dict[int, list[str]] = {}
        stages: list[Stage] = []
        for number in sorted(cluster.stages, key=lambda n: (n not in self.tiles, n)):
            stage, part = self.stages[number], self.part[number]
            sizes = extents(stage)
            own = [b.name for b in stage.targets[0].bounds]
            if part not in names:
                names[part] = [unused(n, taken) for n in own]
            renamed = dict(zip(own, names[part])) | {n: unused(n, taken) for n in indices_of(stage) if n not in own}
            domain |= {renamed[n]: size for n, size in sizes.items()}
            stages.append(with_indices(stage, renamed))
        notes = tuple(self.flat.notes[n] for n in sorted(cluster.makes) if n in self.flat.notes)
        return replace(self.made(cluster, stages, domain, Kind.CONTRACT), notes=notes)
