"""Leading axes made plain: `x[..., i]` for arguments of known shape is `x[b, i]`, `x[b, b2, i]` or `x[i]`.

    spec = parse_spec("norm", "s[...] = sum(i) x[..., i] ** 2")
    specialise(spec, {"x": 3})                                       # s[b, b2] = sum(i) x[b, b2, i] ** 2
    with_leads(spec, leads_of(spec, {"x": (4, 5, 3)}))               # the same

An axis of 1 that is broadcast against a longer one is left out, so that its gradient is a sum: y[...] = a[...] * b[...] for a of (4, 5) and
b of (4, 1) is y[b, b2] = a[b, b2] * b[b]. `Leads.ones` says which axes those are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from shaderdsl.spec.axes import Axis, indices_of, reads_of
from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import Bound, Index, OpSpec, Read, Scalar, ScalarInput, Stage, TensorInput
from shaderdsl.spec.rewrite import rebuilt, with_scalars

Lengths: TypeAlias = tuple[int | None, ...]
"""A shape as far as it is known."""
Ones: TypeAlias = Mapping[str, tuple[int, ...]]
"""The axes of 1 that are left out, of each tensor that has some, counted from the last."""


@dataclass(frozen=True, slots=True)
class Leads:
    """names: the index for each axis that some `...` stands for; None where it is left out. ranks: of every tensor."""

    names: Mapping[Axis, str | None]
    ranks: Mapping[str, int]

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for arguments with one plain spec."""
        return (*self.ranks.items(), *self.names.items())

    @property
    def ones(self) -> Ones:
        found: dict[str, tuple[int, ...]] = {}
        for axis, name in self.names.items():
            if name is None:
                found[axis.tensor] = (*found.get(axis.tensor, ()), axis.position)
        return found

    def front(self, tensor: str, count: int) -> tuple[str, ...]:
        """The indices that stand for all axes of a tensor but its last `count`."""
        found = [self.names[Axis(tensor, p)] for p in range(-self.ranks[tensor], -count)]
        return tuple(n for n in found if n is not None)


NO_LEADS = Leads({}, {})
"""Those of a spec without `...`."""


def has_leads(spec: OpSpec) -> bool:
    """Whether `...` stands somewhere in a spec."""
    given = any(i.leading for i in spec.inputs if isinstance(i, TensorInput))
    return given or any(t.leading for s in spec.stages for t in s.targets)


def specialise(spec: OpSpec, ranks: Mapping[str, int]) -> OpSpec:
    """`spec` for arguments with these numbers of axes, all equally long where they meet. A spec without `...` is itself."""
    return with_leads(spec, leads_of(spec, {n: (None,) * rank for n, rank in ranks.items()}))


def leads_of(spec: OpSpec, shapes: Mapping[str, Lengths]) -> Leads:
    """What `...` stands for, for arguments of these shapes; an input that is left out has one leading axis."""
    if not has_leads(spec):
        return NO_LEADS
    meeting = Meeting()
    for given in spec.inputs:
        if isinstance(given, TensorInput):
            missing: Lengths = (None,) * (len(given.axes) + given.leading)
            meeting.lengths[given.name] = shapes.get(given.name, missing)
            meeting.given(given)
    for stage in spec.stages:
        meeting.stage(stage)
    return Leads(meeting.names(spec), {n: len(shape) for n, shape in meeting.lengths.items()})


@dataclass(slots=True)
class Meeting:
    """Which axes under `...` are one axis: those that meet in a stage, but for what is 1 long and broadcast."""

    lengths: dict[str, Lengths] = field(default_factory=dict[str, Lengths])
    parents: dict[Axis, Axis] = field(default_factory=dict[Axis, Axis])
    depths: dict[Axis, int] = field(default_factory=dict[Axis, int])
    """Of each axis under a `...`, how far from its end."""
    broadcast: list[tuple[Axis, Axis]] = field(default_factory=list[tuple[Axis, Axis]])
    """Axes of 1, each with the longer one that it meets."""
    fixed: list[Axis] = field(default_factory=list[Axis])
    """Axes that an index reads somewhere, which are not left out."""

    def root(self, axis: Axis) -> Axis:
        while axis in self.parents:
            axis = self.parents[axis]
        return axis

    def join(self, one: Axis, other: Axis) -> None:
        if self.root(one) != self.root(other):
            self.parents[self.root(other)] = self.root(one)

    def given(self, given: TensorInput) -> None:
        """The leading axes of an input; those that it names are read by an index."""
        rank = len(self.lengths[given.name])
        self.fixed += [Axis(given.name, -p) for p in range(1, len(given.axes) + 1)]
        for position in range(-rank, -len(given.axes)):
            self.depths[Axis(given.name, position)] = -position - len(given.axes)

    def stage(self, stage: Stage) -> None:
        """Join what meets in a stage, with the stage's own leading axes."""
        reads = list(reads_of(stage))
        self.fixed += [Axis(r.tensor, -p) for r in reads for p in range(1, len(r.indices) + 1)]
        leading = {r: len(self.lengths[r.tensor]) - len(r.indices) for r in reads if r.leading}
        most = max(leading.values(), default=0)
        met = [self.meet([r for r, count in leading.items() if count >= d], d) for d in range(most, 0, -1)]
        for target in stage.targets:
            count = len(target.bounds)
            self.lengths[target.name] = (*(n for _, n in met if target.leading), *(None,) * count)
            self.fixed += [Axis(target.name, -p) for p in range(1, count + 1)]
            for depth, (axis, _) in zip(range(most, 0, -1), met if target.leading else ()):
                own = Axis(target.name, -depth - count)
                self.join(axis, own)
                self.depths[own] = depth

    def meet(self, reads: list[Read], depth: int) -> tuple[Axis, int | None]:
        """The axes that stand `depth` from the end of `...`: the one that gives the length, and that."""
        axes = {a: self.lengths[a.tensor][a.position] for a in (Axis(r.tensor, -depth - len(r.indices)) for r in reads)}
        known = [n for n in axes.values() if n is not None and n != 1]
        length = known[0] if known else None if None in axes.values() else 1
        full = [a for a, n in axes.items() if not (known and n == 1)]
        for axis in axes:
            self.depths[axis] = max(depth, self.depths.get(axis, 0))
            if axis in full:
                self.join(full[0], axis)
            else:
                self.broadcast.append((axis, full[0]))
        return full[0], length

    def left_out(self) -> set[Axis]:
        """The classes of 1 that are broadcast; one that an index reads is as long as what it meets, which is refused when sizes are bound."""
        while True:
            kept = {self.root(a) for a in self.fixed}
            stuck = [(a, b) for a, b in self.broadcast if self.root(a) in kept and self.root(a) != self.root(b)]
            if not stuck:
                return {self.root(a) for a, _ in self.broadcast} - kept
            for axis, longer in stuck:
                self.join(longer, axis)

    def names(self, spec: OpSpec) -> dict[Axis, str | None]:
        """A name for each class: b, b2 and so on from the front, None for those of 1 that are broadcast."""
        out = self.left_out()
        depths: dict[Axis, int] = {}
        for axis, depth in self.depths.items():
            if self.root(axis) not in out:
                depths[self.root(axis)] = max(depth, depths.get(self.root(axis), 0))
        taken = {n for s in spec.stages for n in indices_of(s)} | axis_names(spec) | bare_names(spec, self.lengths)
        order = sorted(depths, key=lambda root: -depths[root])
        named = {root: unused("b", taken) for root in order}
        return {axis: named.get(self.root(axis)) for axis in self.depths}


def with_leads(spec: OpSpec, leads: Leads) -> OpSpec:
    """`spec` with its leading axes written out."""
    if not has_leads(spec):
        return spec
    inputs = tuple(plain_input(i, leads) if isinstance(i, TensorInput) else i for i in spec.inputs)
    return replace(spec, inputs=inputs, stages=tuple(plain_stage(s, leads) for s in spec.stages))


def axis_names(spec: OpSpec) -> set[str]:
    return {a for i in spec.inputs if isinstance(i, TensorInput) for a in i.axes if a is not None}


def bare_names(spec: OpSpec, lengths: Mapping[str, Lengths]) -> set[str]:
    """What stands without brackets: an index of that name would hide it."""
    return {i.name for i in spec.inputs if isinstance(i, ScalarInput)} | {
        n for n, shape in lengths.items() if not shape
    }


def plain_input(given: TensorInput, leads: Leads) -> TensorInput:
    """An input with names for its leading axes."""
    if not given.leading:
        return given
    return replace(given, axes=(*leads.front(given.name, len(given.axes)), *given.axes), leading=False)


def plain_stage(stage: Stage, leads: Leads) -> Stage:
    """One stage with its leading axes written out."""

    def plain(scalar: Scalar) -> Scalar:
        scalar = rebuilt(scalar, plain)
        if isinstance(scalar, Read) and scalar.leading:
            front = map(Index, leads.front(scalar.tensor, len(scalar.indices)))
            return replace(scalar, indices=(*front, *scalar.indices), leading=False)
        return scalar

    targets = tuple(
        replace(t, bounds=(*map(Bound, leads.front(t.name, len(t.bounds))), *t.bounds), leading=False)
        if t.leading
        else t
        for t in stage.targets
    )
    return with_scalars(replace(stage, targets=targets), plain)
