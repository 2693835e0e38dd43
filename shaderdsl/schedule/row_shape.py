"""How rows are spread over invocations: which do a row alone, which share one, and how much each holds.

shape_of(group, 4).threads      # 256 for rows of 2,048
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from shaderdsl.schedule.fixed import LANES
from shaderdsl.schedule.group import Group
from shaderdsl.spec.notation import Reduction, ReductionKind

WIDEST = 256
"""Invocations of a workgroup, by the portable limit."""
ALONE = 16
"""Rows up to this length belong to one invocation."""
MOST_PIECES = 8
"""Pieces of a row that an invocation holds in registers; longer rows are read again in each pass."""
MOST_STAGES = 64
"""Stages times pieces that are written out; beyond, pieces are a loop."""


LONGEST_HELD = WIDEST * LANES * MOST_PIECES
"""Elements of a row that a workgroup holds in registers, where they come in fours."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a domain is spread: rows and their length, elements side by side, invocations a row and in a workgroup, pieces an invocation."""

    rows: int
    columns: int
    lanes: int
    threads: int
    workgroup: int
    pieces: int
    unrolled: bool


def shape_of(group: Group, lanes: int) -> Shape:
    """A good shape without measuring: short rows alone, long ones with as many invocations as have four elements to do."""
    rows, columns = group.count(group.rows), group.count(group.swept or ())
    if group.swept is None:
        return Shape(rows // lanes, 1, lanes, 1, WIDEST, 1, unrolled=True)
    if list(group.domain)[-1] not in group.swept:
        unrolled = columns <= MOST_PIECES and columns * len(group.spec.stages) <= MOST_STAGES
        return Shape(rows // lanes, columns, lanes, 1, 64, columns, unrolled)
    alone = any(isinstance(s.how, Reduction) and s.how.kind is ReductionKind.PROD for s in group.spec.stages)
    if columns <= ALONE or alone:
        unrolled = columns * len(group.spec.stages) <= MOST_STAGES or bool(group.partials)
        return Shape(rows, columns, 1, 1, 64, columns, unrolled)
    threads = min(WIDEST, max(32, 2 ** math.ceil(math.log2(columns / lanes / 2))))
    pieces = -(-columns // (threads * lanes))
    unrolled = pieces <= MOST_PIECES and pieces * len(group.spec.stages) <= MOST_STAGES
    unrolled = unrolled or bool(group.partials)
    return Shape(rows, columns, lanes, threads, threads, pieces, unrolled)
