"""What is computed element by element for one contraction only is computed as the contraction loads it.

    t[i, j] = relu(x[i, j]) * g[j]
    y[i, o] = sum(j) t[i, j] * w[o, j]      # y[i, o] = sum(j) relu(x[i, j]) * g[j] * w[o, j]

Each element is then computed once for each tile that needs it, and never written. What a kernel makes anyway is better computed there: a chain goes in
only where it begins at arrays in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shaderdsl.graph.copies import surely_inside
from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.sharing import live, retargeted
from shaderdsl.graph.tiles import tiled
from shaderdsl.schedule.split import BINDINGS
from shaderdsl.spec.affine import simplified
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.notation import Read, Scalar, Stage, TensorInput
from shaderdsl.spec.rewrite import rebuilt, subscalars, substituted, tensors

MOST_AHEAD = 32
"""Operations that go into a contraction: they are done again for each tile along the other factor."""


CHEAP = 8
"""Operations that go into several contractions, each of which does them again."""


def with_prologues(flat: Flat) -> Flat:
    """The graph with such producers in their contractions."""
    return live(retargeted(flat, Prologues.of(flat).rewritten(), {}))


@dataclass(frozen=True, slots=True)
class Prologues:
    """makers and users of tensors, those that are in memory anyway, and the names of contractions."""

    flat: Flat
    makers: Mapping[str, Stage]
    users: Mapping[str, Sequence[Stage]]
    given: frozenset[str]
    tiles: frozenset[str]

    @classmethod
    def of(cls, flat: Flat) -> Prologues:
        users: dict[str, list[Stage]] = {}
        for stage in flat.spec.stages:
            for name in dict.fromkeys(r.tensor for r in reads_of(stage)):
                users.setdefault(name, []).append(stage)
        inputs = {i.name for i in flat.spec.inputs if isinstance(i, TensorInput)}
        makers = {t.name: s for s in flat.spec.stages for t in s.targets}
        tiles = {s.targets[0].name for s in flat.spec.stages if tiled(s, flat) is not None}
        return cls(flat, makers, users, frozenset(inputs | {*flat.spec.outputs}), frozenset(tiles))

    def rewritten(self) -> list[Stage]:
        return [self.with_producers(s) if self.in_tiles(s) else s for s in self.flat.spec.stages]

    def in_tiles(self, stage: Stage) -> bool:
        return stage.targets[0].name in self.tiles

    def with_producers(self, stage: Stage) -> Stage:
        """A contraction with each producer that may go into it, as long as it stays one."""
        reader = stage
        for name in dict.fromkeys(r.tensor for r in reads_of(reader)):
            producer = self.makers.get(name)
            if producer is None or not self.only_for(reader, name, producer):
                continue
            candidate = self.through(stage, self.expanded(producer))
            if candidate is not None and tiled(candidate, self.flat) is not None:
                stage = candidate
        return stage

    def only_for(self, reader: Stage, name: str, producer: Stage) -> bool:
        """Whether a stage is a map of arrays in memory that nothing but one reader needs; a short one may be for several contractions."""
        if producer.how is not None or name in self.given:
            return False
        several = any(u is not reader for u in self.users[name])
        if several and (length_of(producer) > CHEAP or not all(map(self.in_tiles, self.users[name]))):
            return False
        return all(
            r.tensor in self.given
            or ((before := self.makers.get(r.tensor)) is not None and self.only_for(producer, r.tensor, before))
            for r in reads_of(producer)
        )

    def expanded(self, producer: Stage) -> Stage:
        """A map with the maps that it reads written out."""
        for read in list(reads_of(producer)):
            before = self.makers.get(read.tensor)
            if before is not None and read.tensor not in self.given:
                producer = self.through(producer, self.expanded(before)) or producer
        return producer

    def through(self, reader: Stage, producer: Stage) -> Stage | None:
        """A reader with a map's expression where it reads the map; None where a position may lie outside, or it grows too long."""
        name, own = producer.targets[0].name, extents(reader)
        bounds = producer.targets[0].bounds
        fits = True

        def leaf(scalar: Scalar) -> Scalar:
            nonlocal fits
            inner = rebuilt(scalar, leaf)
            if not isinstance(inner, Read) or inner.tensor != name:
                return inner
            fits = fits and surely_inside(inner, self.flat.shapes[name], own)
            at = {b.name: simplified(i, own) for b, i in zip(bounds, inner.indices)}
            return substituted(producer.values[0], at)

        found = replace(reader, values=tuple(map(leaf, reader.values)))
        arrays = {t for v in found.values for t in tensors(v)}
        return found if fits and length_of(found) <= MOST_AHEAD and len(arrays) < BINDINGS else None


def length_of(stage: Stage) -> int:
    """Operations, reads and indices of a stage."""
    return sum(1 for v in stage.values for _ in subscalars(v))
