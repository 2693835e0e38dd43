"""The story of a plan as text: what was written, what runs, what it moves, and why kernels stay apart.

print(explained("step", planned, skipped))
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.grad import Skip
from shaderdsl.graph.plan import ELEMENT_BYTES, Planned
from shaderdsl.graph.sharing import live
from shaderdsl.schedule.group import Launch
from shaderdsl.spec.axes import reads_of

UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def explained(name: str, planned: Planned, skipped: Sequence[Skip]) -> str:
    """The whole story, a line a launch."""
    return "\n".join(lines(name, planned, skipped))


def lines(name: str, planned: Planned, skipped: Sequence[Skip]) -> Iterator[str]:
    before = live(planned.before)
    count, moved = len(before.spec.stages), bytes_of(before)
    yield f"{name}: {count} launches as written, {sized(moved)} moved"
    yield f"{' ' * len(name)}  {len(planned.launches)} launches fused, {sized(planned.bytes)} moved"
    yield ""
    yield from table(planned)
    notes = [f"{launch.kernel.name}: {n}" for launch in planned.launches for n in launch.notes]
    yield from listed("done otherwise than written", notes)
    refused = {f"{r.reader} does not join {r.tensor}: {r.reason}": None for r in planned.fused.refusals}
    yield from listed("kept apart", list(refused))
    yield from listed("no gradient along", [f"{s.op} takes {s.tensor}: {s.reason}" for s in skipped])


def table(planned: Planned) -> Iterator[str]:
    """A row for each launch: its kernel, how it is computed, its workgroups, and what it reads and writes."""
    rows = [row(number, launch, planned) for number, launch in enumerate(planned.launches, 1)]
    widths = [max((len(r[column]) for r in rows), default=0) for column in range(4)]
    for cells in rows:
        ahead = "  ".join(c.ljust(w) if n in (1, 2) else c.rjust(w) for n, (c, w) in enumerate(zip(cells, widths)))
        yield f"{ahead}  {cells[4]}"


def row(number: int, launch: Launch, planned: Planned) -> tuple[str, str, str, str, str]:
    how = launch.group.kind.value if launch.group is not None else ""
    moved = sum(map(planned.size, (*launch.reads, *launch.writes)))
    arrays = f"{' '.join(launch.reads) or 'nothing'} -> {' '.join(launch.writes)}"
    return str(number), launch.kernel.name, how, sized(moved), arrays


def listed(title: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield ""
        yield title
        yield from (f"  {e}" for e in entries)


def bytes_of(flat: Flat) -> int:
    """What one launch a stage would move."""
    total = 0
    for stage in flat.spec.stages:
        names = {r.tensor for r in reads_of(stage)} | {t.name for t in stage.targets}
        total += sum(ELEMENT_BYTES * math.prod(flat.shapes[n]) for n in names)
    return total


def sized(count: int) -> str:
    """Bytes as people read them."""
    for unit, word in UNITS:
        if count >= unit:
            return f"{count / unit:.1f} {word}"
    return f"{count} bytes"
