"""Long reductions in two steps: parts over chunks, then the parts. Deterministic, and a different order of terms.

    s = sum(j < 1048576) x[j]

    s_parts[g < 256] = sum(k < 4096) x[4096 * g + k]
    s = sum(g < 256) s_parts[g]

A group is taken apart where its rows are too few to fill a device and nothing in it needs a whole reduction before its end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from shaderdsl.schedule.fixed import LANES
from shaderdsl.schedule.group import Group, is_reduction, levels_of
from shaderdsl.schedule.writer import unused
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.concrete import extent_number
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
    ReductionKind,
    Scalar,
    ScalarInput,
    Stage,
    Target,
    TensorInput,
)
from shaderdsl.spec.rewrite import parameters, rebuilt

FILLED = 2**18
"""Invocations that fill a large device."""
GROUPS = 4096
"""Workgroups that do, where each takes a part of one row."""
SHORTEST = 16
"""Terms that an invocation takes at least."""
GROUP = 256
ROW = 4096
"""Elements of a row that a workgroup does without being taken apart."""


@dataclass(frozen=True, slots=True)
class Chunks:
    """An index taken apart: `index` = size * chunk + place, in `count` chunks; `extent` is what it had."""

    index: str
    chunk: str
    place: str
    count: int
    size: int
    extent: int

    @property
    def even(self) -> bool:
        return self.count * self.size == self.extent

    @property
    def whole(self) -> Scalar:
        """The index that it was; past the end the last one, where there is no such place."""
        found: Scalar = Operation(
            Operator.ADD, (Operation(Operator.MUL, (Number(self.size), Index(self.chunk))), Index(self.place))
        )
        return found if self.even else Function("min", (found, Number(self.extent - 1)))

    @property
    def inside(self) -> Scalar:
        place = Operation(
            Operator.ADD, (Operation(Operator.MUL, (Number(self.size), Index(self.chunk))), Index(self.place))
        )
        return Operation(Operator.LT, (place, Number(self.extent)))


def two_steps(group: Group) -> tuple[Group, ...]:
    """The group as it is, or as parts and their reduction."""
    chunks = chunks_of(group)
    if chunks is None:
        return (group,)
    return parts_of(group, chunks), whole_of(group, chunks)


def chunks_of(group: Group) -> Chunks | None:
    """How to take a group apart, or None where that is not needed or not possible."""
    if not group.swept or not separable(group):
        return None
    rows, length = group.count(group.rows), group.count(group.swept)
    along = list(group.domain)[-1] in group.swept
    invocations = rows * (min(GROUP, length // LANES) if along else 1) // (1 if along else LANES)
    if invocations >= FILLED // 4 or length < (ROW if along else 4 * SHORTEST):
        return None
    index = group.swept[0]
    extent = group.domain[index]
    rest = length // extent
    most = GROUPS // rows if along else FILLED // max(invocations, 1)
    wanted = min(most, length // (ROW // 2 if along else SHORTEST), extent)
    sizes = [b for n in group.spec.outputs if (b := bounds_of(group, n)) is not None and index in b]
    size = chunk_size(extent, max(wanted, 1), rest, even=bool(sizes))
    if size is None or size >= extent:
        return None
    taken = {*group.domain, *group.dtypes}
    chunk = unused("chunk", taken)
    return Chunks(index, chunk, unused(index, {*taken, chunk} - {index}), -(-extent // size), size, extent)


def chunk_size(extent: int, wanted: int, rest: int, *, even: bool) -> int | None:
    """Places in a chunk, so that there are about as many chunks as wanted; a divisor of the extent where it must be or is at hand."""
    least = -(-extent // wanted)
    for size in range(least, min(2 * least + 8, extent)):
        if extent % size == 0 and (rest % LANES == 0 or size % LANES == 0):
            return size
    if even:
        return next((s for s in range(least, extent) if extent % s == 0), None)
    return -(-least // LANES) * LANES if rest % LANES else least


def bounds_of(group: Group, name: str) -> list[str] | None:
    stage = group.spec.stage_of(name)
    return None if stage is None else [b.name for b in stage.targets[0].bounds]


def separable(group: Group) -> bool:
    """Whether no element needs a reduction, or a value that a row has once."""
    levels = levels_of(group.spec)
    early = {s.targets[0].name for s in group.spec.stages if group.is_element(s)}
    for stage in group.spec.stages:
        if not group.is_element(stage) and not is_reduction(stage):
            continue
        if levels[stage.targets[0].name]:
            return False
        made = {r.tensor for r in reads_of(stage)} & {t.name for s in group.spec.stages for t in s.targets}
        if not made <= early:
            return False
    return any(map(is_reduction, group.spec.stages))


def parts_of(group: Group, chunks: Chunks) -> Group:
    """The first step: elements, and reductions over each chunk."""
    stages = [apart(group, s, chunks) for s in group.spec.stages if group.is_element(s) or is_reduction(s)]
    domain = dict(split_domain(group.domain, chunks))
    outputs = [s.targets[0].name for s in stages if is_reduction(s) or s.targets[0].name in group.spec.outputs]
    swept = tuple(chunks.place if n == chunks.index else n for n in group.swept or ())
    return regrouped(group, f"{group.name}_parts", stages, domain, swept, outputs)


def split_domain(domain: Mapping[str, int], chunks: Chunks) -> Iterator[tuple[str, int]]:
    for name, extent in domain.items():
        if name == chunks.index:
            yield chunks.chunk, chunks.count
            yield chunks.place, chunks.size
        else:
            yield name, extent


def apart(group: Group, stage: Stage, chunks: Chunks) -> Stage:
    """A stage over chunks."""
    made = {t.name for s in group.spec.stages for t in s.targets}

    def leaf(scalar: Scalar) -> Scalar:
        if isinstance(scalar, Index):
            return chunks.whole if scalar.name == chunks.index else scalar
        if isinstance(scalar, Read) and scalar.tensor in made:
            return replace(scalar, indices=tuple(doubled(scalar.indices, chunks)))
        return rebuilt(scalar, leaf)

    value = leaf(stage.values[0])
    name = stage.targets[0].name
    if not isinstance(stage.how, Reduction):
        bounds = [Bound(n, Number(e)) for n, e in split_domain(group.domain, chunks)]
        return Stage((Target(name, tuple(bounds)),), None, (value,))
    kind = ReductionKind.SUM if stage.how.kind is ReductionKind.MEAN else stage.how.kind
    if not chunks.even and kind in (ReductionKind.SUM, ReductionKind.PROD):
        value = Function("where", (chunks.inside, value, Number(1 if kind is ReductionKind.PROD else 0)))
    rows = [*group.rows, chunks.chunk]
    bounds = [Bound(n, Number(e)) for n, e in split_domain(group.domain, chunks) if n in rows]
    over = [Bound(chunks.place, Number(chunks.size)) if b.name == chunks.index else b for b in stage.how.over]
    return Stage((Target(f"{name}_parts", tuple(bounds)),), Reduction(kind, tuple(over)), (value,))


def doubled(indices: Sequence[Scalar], chunks: Chunks) -> Iterator[Scalar]:
    """The indices of an element that the group makes, with two for the one that came apart."""
    for index in indices:
        if index == Index(chunks.index):
            yield Index(chunks.chunk)
            yield Index(chunks.place)
        else:
            yield index


def whole_of(group: Group, chunks: Chunks) -> Group:
    """The second step: the reductions of the parts, and what each row has from them."""
    rows = {n: e for n, e in split_domain(group.domain, chunks) if n in (*group.rows, chunks.chunk)}
    stages: list[Stage] = []
    for stage in group.spec.stages:
        if is_reduction(stage):
            stages += joined(group, stage, chunks, rows)
        elif not group.is_element(stage):
            stages.append(stage)
    made = {t.name for s in stages for t in s.targets}
    outputs = [n for n in group.spec.outputs if n in made]
    return regrouped(group, f"{group.name}_whole", stages, rows, (chunks.chunk,), outputs)


def joined(group: Group, stage: Stage, chunks: Chunks, domain: Mapping[str, int]) -> list[Stage]:
    """A reduction of its parts; a mean is a sum that is divided."""
    if not isinstance(stage.how, Reduction):
        return []
    target, over = stage.targets[0], (Bound(chunks.chunk, Number(chunks.count)),)
    parts = Read(f"{target.name}_parts", tuple(map(Index, domain)))
    if stage.how.kind is not ReductionKind.MEAN:
        return [Stage((target,), Reduction(stage.how.kind, over), (parts,))]
    total = Target(f"{target.name}_undivided", target.bounds)
    own = Read(total.name, tuple(Index(b.name) for b in target.bounds))
    count = Number(float(math.prod(group.domain[n] for n in group.swept or ())))
    return [
        Stage((total,), Reduction(ReductionKind.SUM, over), (parts,)),
        Stage((target,), None, (Operation(Operator.DIV, (own, count)),)),
    ]


def regrouped(
    group: Group,
    name: str,
    stages: Sequence[Stage],
    domain: Mapping[str, int],
    swept: tuple[str, ...],
    outputs: Sequence[str],
) -> Group:
    """A group of other stages over another domain."""
    made = {t.name: tuple(extent_number(b.extent) for b in t.bounds) for s in stages for t in s.targets}
    reads = list(dict.fromkeys(r.tensor for s in stages for r in reads_of(s) if r.tensor not in made))
    shapes = {**group.shapes, **made}
    dtypes = {**group.dtypes}
    for stage in stages:
        base = stage.targets[0].name
        dtypes[base] = group.dtypes.get(base) or group.dtypes[base.removesuffix("_parts").removesuffix("_undivided")]
    for read in (r for s in stages for r in reads_of(s) if r.tensor not in made and r.tensor not in shapes):
        shapes[read.tensor] = tuple(domain[i.name] for i in read.indices if isinstance(i, Index))
        dtypes[read.tensor] = group.dtypes[read.tensor.removesuffix("_parts")]
    used = {p for s in stages for p in parameters(s.values[0])}
    numbers = [i for i in group.spec.inputs if isinstance(i, ScalarInput) and i.name in used]
    inputs = [TensorInput(n, tuple(f"{n}_{p}" for p in range(len(shapes[n]))), dtypes[n]) for n in reads]
    spec = OpSpec(name, (*inputs, *numbers), tuple(stages), tuple(outputs))
    known_names = {*reads, *made}
    return replace(
        group,
        name=name,
        spec=spec,
        domain=domain,
        swept=swept,
        shapes={n: shapes[n] for n in known_names},
        dtypes={n: dtypes[n] for n in (*known_names, *(i.name for i in numbers))},
    )
