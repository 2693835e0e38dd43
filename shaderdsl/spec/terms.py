"""What maxima, minima and products run over as a stage of its own, where it is an expression: the backward reads the very numbers that were reduced.

y[i] = max(j) a[i, j] * b[i, j]     becomes     y_each[i, j] = a[i, j] * b[i, j]
                                                y[i] = max(j) y_each[i, j]

A backward that wrote the expression again would round it in another way, and find no element that is equal to the maximum. A product runs
over one index at a time, so that its adjoint is two scans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shaderdsl.spec.extents import taken_names, unused
from shaderdsl.spec.notation import Bound, Index, OpSpec, Read, Reduction, ReductionKind, Stage, Target
from shaderdsl.spec.rewrite import tensors

CHOOSING = (ReductionKind.MAX, ReductionKind.MIN)


@dataclass(frozen=True, slots=True)
class Named:
    """A spec whose terms have names. before: the stages as they were, each with the names of the stages that now lead to it."""

    spec: OpSpec
    before: Sequence[tuple[frozenset[str], Stage]]

    def rejoined(self, derived: OpSpec) -> OpSpec:
        """A derivative with those stages as they were whose terms nothing else reads."""
        readers = Counter(n for s in derived.stages for n in {t for v in s.values for t in tensors(v)})
        names = {s.targets[0].name for s in derived.stages} - set(derived.outputs)
        alone = [(f, s) for f, s in self.before if f <= names and all(readers[n] == 1 for n in f)]
        wholes = {s.targets[0].name: s for _, s in alone}
        gone = frozenset(n for found, _ in alone for n in found)
        kept = [s for s in derived.stages if s.targets[0].name not in gone]
        return replace(derived, stages=tuple(wholes.get(s.targets[0].name, s) for s in kept))


def with_terms(spec: OpSpec, active: frozenset[str]) -> Named:
    """`spec` with names for what its active maxima, minima and products run over. Nothing stands for leading axes."""
    taken = taken_names(spec)
    before: list[tuple[frozenset[str], Stage]] = []
    stages: list[Stage] = []
    for stage in spec.stages:
        found = apart(stage, taken) if stage.targets[0].name in active else [stage]
        stages += found
        if len(found) > 1:
            before.append((frozenset(s.targets[0].name for s in found[:-1]), stage))
    return Named(replace(spec, stages=tuple(stages)), before)


def apart(stage: Stage, taken: set[str]) -> list[Stage]:
    """A stage's terms, and their reduction; the stage itself where its terms have a name."""
    how, name = stage.how, stage.targets[0].name
    if not isinstance(how, Reduction):
        return [stage]
    if how.kind in CHOOSING:
        return [stage] if isinstance(stage.values[0], Read) else named(stage, how, unused(f"{name}_each", taken))
    if how.kind is not ReductionKind.PROD or (len(how.over) == 1 and elements(stage, how)):
        return [stage]
    terms, last = named(stage, how, unused(f"{name}_each", taken))
    found = [terms]
    for kept in range(len(how.over) - 1, 0, -1):
        inner = replace(how, over=last.how.over[kept:]) if isinstance(last.how, Reduction) else how
        bounds = (*last.targets[0].bounds, *(Bound(b.name) for b in how.over[:kept]))
        part = Target(unused(f"{name}_each", taken), bounds)
        found.append(replace(last, targets=(part,), how=inner))
        read = Read(part.name, tuple(Index(b.name) for b in bounds))
        last = replace(last, how=replace(how, over=tuple(Bound(b.name) for b in how.over[:kept])), values=(read,))
    return [*found, last]


def elements(stage: Stage, how: Reduction) -> bool:
    """Whether a reduction runs over the elements of a tensor as they are: each index along its axis."""
    value, bounds = stage.values[0], (*stage.targets[0].bounds, *how.over)
    along = isinstance(value, Read) and value.fill is None and all(isinstance(i, Index) for i in value.indices)
    return along and all(b.extent is None for b in bounds)


def named(stage: Stage, how: Reduction, name: str) -> list[Stage]:
    """The terms of a stage by this name, and the stage over them."""
    bounds = (*stage.targets[0].bounds, *how.over)
    target = replace(stage.targets[0], bounds=tuple(Bound(b.name) for b in stage.targets[0].bounds))
    over = replace(how, over=tuple(Bound(b.name) for b in how.over))
    terms = Stage((Target(name, bounds),), None, stage.values, stage.span)
    read = Read(name, tuple(Index(b.name) for b in bounds))
    return [terms, replace(stage, targets=(target,), how=over, values=(read,))]
