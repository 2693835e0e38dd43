"""Donated arguments: resident arrays whose memory a result takes over, so that state is updated where it lies.

    @sd.compile(donate=("params", "state"))
    def step(params, state, x): ...

    params, state = step(params, state, x)      # the old arrays are consumed: using one again is an error

Which result takes over which argument is decided when the plan is made: one of the same shape and type, best the one at the same path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.overwrite import overwrites, overwritten
from shaderdsl.schedule.group import Launch


class How(Enum):
    """How a result comes to lie in an argument's memory."""

    KEEP = "it is the argument"
    OVER = "written over it by the kernel that reads it last"
    AFTER = "written there after its last use"
    SWAP = "written beside it; its memory serves for the result of the next run"


@dataclass(frozen=True, slots=True)
class Take:
    """The argument that a result takes over."""

    argument: str
    how: How


@dataclass(frozen=True, slots=True)
class Uses:
    """When each tensor is written, and read for the last time, by the numbers of launches; what is needed until the end."""

    written: Mapping[str, int]
    read: Mapping[str, int]
    pinned: frozenset[str]

    @classmethod
    def of(cls, launches: Sequence[Launch], pinned: Iterable[str]) -> Uses:
        written = {n: number for number, launch in enumerate(launches) for n in launch.writes}
        read = {n: number for number, launch in enumerate(launches) for n in launch.reads}
        return cls(written, read, frozenset(pinned))


def takes_of(
    flat: Flat, launches: Sequence[Launch], donated: Sequence[str], pinned: Iterable[str] = ()
) -> dict[str, Take]:
    """For results that take over a donated argument: which, and how. pinned: tensors that are needed until the end of a run."""
    uses = Uses.of(launches, pinned)
    left = list(donated)
    found: dict[str, Take] = {}
    for output in flat.results.values():
        if output in left:
            left.remove(output)
            found[output] = Take(output, How.KEEP)
    paths: dict[str, str] = {}
    for path, output in flat.results.items():
        paths.setdefault(output, path)
    for output, path in paths.items():
        choices = [n for n in left if alike(flat, n, output)] if output in uses.written else []
        if choices:
            best = min(choices, key=lambda n: rank(launches, uses, n, output, path))
            left.remove(best)
            found[output] = Take(best, how(launches, uses, best, output))
    return found


def alike(flat: Flat, argument: str, output: str) -> bool:
    """Whether two tensors are of one shape and type."""
    return flat.shapes[argument] == flat.shapes[output] and flat.dtypes[argument] is flat.dtypes[output]


def rank(launches: Sequence[Launch], uses: Uses, argument: str, output: str, path: str) -> tuple[bool, bool]:
    """How well a result goes with an argument, the lower the better: the same path, then written in place."""
    return tail(argument) != tail(path), how(launches, uses, argument, output) is How.SWAP


def tail(path: str) -> str:
    """A path without the number or the name of the argument or result that it begins with."""
    return path.partition("_")[2]


def how(launches: Sequence[Launch], uses: Uses, argument: str, output: str) -> How:
    """How an argument's memory can become a result's."""
    last, number = uses.read.get(argument, -1), uses.written[output]
    if argument in uses.pinned or last > number:
        return How.SWAP
    if last < number:
        return How.AFTER
    return How.OVER if overwrites(launches[number], output, argument) else How.SWAP


def in_place(launches: Sequence[Launch], takes: Mapping[str, Take]) -> tuple[Launch, ...]:
    """The launches, with those results written over arguments that can be."""

    def changed(launch: Launch) -> Launch:
        over = {n: takes[n].argument for n in launch.writes if n in takes and takes[n].how is How.OVER}
        return overwritten(launch, over)

    return tuple(map(changed, launches))
