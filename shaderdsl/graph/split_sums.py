"""Long sums of small products in parts: where the tiles of a contraction are too few for a large GPU, each sums a chunk of the terms, and a second stage the chunks.

    y[m < 64, n < 64] = sum(k < 8192) a[m, k] * b[k, n]

    y_parts[s < 16, m < 64, n < 64] = sum(k < 512) a[m, 512 * s + k] * b[512 * s + k, n]
    y[m < 64, n < 64] = sum(s < 16) y_parts[s, m, n]

The order of the sum changes, the same way in every run; the launch says so.
"""

from __future__ import annotations

import math
from dataclasses import replace

from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.tiles import tiled
from shaderdsl.schedule.contract_shape import Work, estimate, tile_of
from shaderdsl.schedule.contraction import Contraction, factors
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import (
    Bound,
    Dtype,
    Index,
    Number,
    Operation,
    Operator,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    Stage,
    Target,
)
from shaderdsl.spec.rewrite import substituted

FEWEST_TERMS = 1024
"""Shorter sums stay whole."""
CHUNK = 256
"""Terms that a chunk has at least."""
PARTIAL_SUM = 48
"""What it costs to write a partial sum and read it again, in products and sums."""
SECOND_LAUNCH = 5e7
"""What the second kernel costs before it does anything: two microseconds."""
UNIT = 8
"""Chunks are multiples of it, so that vec4 stay aligned and slices whole."""


def with_split_sums(flat: Flat) -> Flat:
    """The graph with such sums in two stages."""
    stages: list[Stage] = []
    shapes, dtypes, notes = dict(flat.shapes), dict(flat.dtypes), dict(flat.notes)
    origins, lines = dict(flat.origins), dict(flat.lines)
    for stage in flat.spec.stages:
        parts = split(stage, flat)
        if parts is None:
            stages.append(stage)
            continue
        stages += parts
        name, own = parts[0].targets[0].name, stage.targets[0].name
        shapes[name] = tuple(extents(parts[0])[b.name] for b in parts[0].targets[0].bounds)
        dtypes[name], origins[name], lines[name] = flat.dtypes[own], flat.origins[own], flat.lines[own]
        notes[name] = f"{own} is summed in {shapes[name][0]} parts, then over them: another order than written"
    spec = replace(flat.spec, stages=tuple(stages))
    return replace(flat, spec=spec, shapes=shapes, dtypes=dtypes, origins=origins, lines=lines, notes=notes)


def split(stage: Stage, flat: Flat) -> tuple[Stage, Stage] | None:
    """A contraction as parts and their sum, where that pays."""
    found = tiled(stage, flat)
    how = stage.how
    if found is None or not isinstance(how, Reduction) or how.kind is not ReductionKind.SUM:
        return None
    sizes = extents(stage)
    index = max(found.over, key=lambda n: sizes[n])
    chunk = chunk_of(found, sizes[index], parts_wanted(found, sizes), flat)
    if chunk is None:
        return None
    target = stage.targets[0]
    names = {*sizes, *flat.shapes, *(i.name for i in flat.spec.inputs)}
    part = unused("part", names)
    name = unused(f"{target.name}_parts", names)
    count = Bound(part, Number(count_of(sizes[index], chunk)))
    place = Operation(Operator.ADD, (Operation(Operator.MUL, (Number(chunk), Index(part))), Index(index)))
    over = tuple(Bound(b.name, Number(chunk)) if b.name == index else b for b in how.over)
    first = Stage(
        (Target(name, (count, *target.bounds)),),
        Reduction(ReductionKind.SUM, over),
        (substituted(stage.values[0], {index: place}),),
    )
    read = Read(name, (Index(part), *(Index(b.name) for b in target.bounds)))
    return first, Stage((target,), Reduction(ReductionKind.SUM, (count,)), (read,))


def parts_wanted(found: Contraction, sizes: dict[str, int]) -> int:
    """The number of parts with the least estimated time."""
    batch, rows, columns, terms = (math.prod(sizes[n] for n in names) for names in (*found.roles, found.over))
    if terms < FEWEST_TERMS:
        return 1

    def time(parts: int) -> float:
        work = [Work(batch * parts, rows, columns, -(-terms // parts))]
        second = SECOND_LAUNCH + PARTIAL_SUM * parts * batch * rows * columns if parts > 1 else 0
        return estimate(tile_of(work), work) + second

    return min((2**n for n in range((terms // CHUNK).bit_length())), key=time)


def chunk_of(found: Contraction, size: int, parts: int, flat: Flat) -> int | None:
    """Terms of an index in each part: as wanted if they come out even, or if terms beyond the last are zero of themselves."""
    if parts < 2 or size < 2 * UNIT:
        return None
    wanted = max(-(-size // parts), UNIT)
    rounded = -(-wanted // UNIT) * UNIT
    even = next((c for c in range(rounded, size // 2 + 1, UNIT) if size % c == 0), None)
    if even is not None and even <= 2 * rounded:
        return even
    return rounded if rounded < size and vanishes(found, flat) else None


def count_of(size: int, chunk: int) -> int:
    return -(-size // chunk)


def vanishes(found: Contraction, flat: Flat) -> bool:
    """Whether terms whose reads lie outside their arrays are zero: they are products of reads, filled by 0, and numbers."""
    parts = [f for side in (found.left, found.right) for f in factors(side, found.dtype, flat.dtypes)]
    return all(isinstance(p, Read | Number) and not filled(p) for p in parts) and found.dtype is not Dtype.BOOL


def filled(scalar: Scalar) -> bool:
    return isinstance(scalar, Read) and scalar.fill is not None
