"""Where the tensors of a plan lie: a few arenas, each a buffer, in which memory is used again once what lay there is no longer needed.

    layout = laid_out(lives, apart)     # layout.places["relu"] = Place(arena=1, offset=4096, size=1024)
    layout.peak                         # bytes of all arenas together

WebGPU takes no buffer as input and output of one dispatch, not even at places far from each other. So tensors that one dispatch reads and writes lie in
different arenas. Offsets are multiples of 256, which every device binds.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

ALIGNMENT = 256
MOST = 256 * 1024 * 1024
"""The largest buffer of a device with the portable limits."""
SPARE, SLACK = 0.1, 16 * 1024
"""How far arenas may be above what is alive at once, as a part of it and in bytes, before tensors get buffers of their own for each run."""
GOOD = 3
"""Ways of placing that are tried before a tenth is good enough."""
SORTED, MANY = 500, 2000
"""Up to how many tensors are also placed by size and by chance, which takes time by the square of their number: always, and where it must be."""


class Access(Protocol):
    """What memory has to know of a launch."""

    @property
    def reads(self) -> tuple[str, ...]: ...
    @property
    def writes(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Life:
    """A tensor's bytes, and the launches from which and up to which they are needed. Before the first: -1; after the last: their number."""

    first: int
    last: int
    size: int

    def meets(self, other: Life) -> bool:
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class Place:
    """Bytes of an arena."""

    arena: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The arenas of a plan by their sizes and the place of each tensor in them; `live` is the most that is needed at once.

    Without arenas (`packed` is false) each run makes each tensor when it is written and gives it back after its last use.
    """

    lives: Mapping[str, Life]
    places: Mapping[str, Place]
    arenas: tuple[int, ...]
    live: int
    packed: bool = True

    @property
    def peak(self) -> int:
        """The bytes that a run takes."""
        return sum(self.arenas) if self.packed else self.live


def lives_of(
    launches: Sequence[Access], sizes: Mapping[str, int], given: Iterable[str], results: Iterable[str]
) -> dict[str, Life]:
    """How long each tensor of these sizes is needed. given: those that are there before. results: those that are needed after."""
    first = dict.fromkeys(given, -1)
    last = dict(first)
    for number, launch in enumerate(launches):
        for name in (*launch.reads, *launch.writes):
            first.setdefault(name, number)
            last[name] = number
    last |= dict.fromkeys((n for n in results if n in first), len(launches))
    return {n: Life(first[n], last[n], sizes[n]) for n in first if n in sizes}


def apart_of(launches: Iterable[Access], names: Mapping[str, object]) -> dict[str, set[str]]:
    """For each tensor those that some launch reads where it writes it, or the other way round."""
    found: dict[str, set[str]] = {n: set() for n in names}
    for launch in launches:
        reads = [n for n in launch.reads if n in found]
        for write in launch.writes:
            if write in found:
                found[write].update(reads)
                for read in reads:
                    found[read].add(write)
    return found


def laid_out(lives: Mapping[str, Life], apart: Mapping[str, set[str]]) -> Layout:
    """The best of a few placements, of more until one takes at most a tenth above what is alive at once; none where none does."""
    live = most_alive(lives.values())
    best: dict[str, Place] = {}
    for number, places in enumerate(placements(lives, apart), 1):
        if not best or sum(arena_sizes(places)) < sum(arena_sizes(best)):
            best = places
        if sum(arena_sizes(best)) <= (live if number < GOOD and len(lives) <= SORTED else (1 + SPARE) * live):
            break
    found = Layout(lives, best, arena_sizes(best), live)
    return found if found.peak <= live + max(SPARE * live, SLACK) else Layout(lives, {}, (), live, packed=False)


def placements(lives: Mapping[str, Life], apart: Mapping[str, set[str]]) -> Iterator[dict[str, Place]]:
    """Placements, those that are mostly good and soon made first."""
    yield in_order_of_time(sorted(lives, key=lambda n: (lives[n].first, -lives[n].size)), lives, apart)
    if len(lives) <= MANY:
        yield in_any_order(sorted(lives, key=lambda n: -lives[n].size), lives, apart)
        yield in_any_order(sorted(lives, key=lambda n: lives[n].first - lives[n].last), lives, apart)
    draw = Random(0).random
    for _ in range(SORTED // max(len(lives), 10)):
        weights = {n: life.size * (0.2 + draw()) * (life.last - life.first + 2) ** draw() for n, life in lives.items()}
        yield in_any_order(sorted(lives, key=lambda n: -weights[n]), lives, apart)


def separate(lives: Mapping[str, Life]) -> Layout:
    """A buffer for each tensor, which guards can stand around."""
    places = {n: Place(number, 0, life.size) for number, (n, life) in enumerate(lives.items())}
    return Layout(lives, places, arena_sizes(places), most_alive(lives.values()))


def most_alive(lives: Iterable[Life]) -> int:
    """The greatest sum of sizes that are needed at once."""
    changes: dict[int, int] = {}
    for life in lives:
        changes[life.first] = changes.get(life.first, 0) + life.size
        changes[life.last + 1] = changes.get(life.last + 1, 0) - life.size
    now = most = 0
    for moment in sorted(changes):
        now += changes[moment]
        most = max(most, now)
    return most


def arena_sizes(places: Mapping[str, Place]) -> tuple[int, ...]:
    sizes: dict[int, int] = {}
    for place in places.values():
        sizes[place.arena] = max(sizes.get(place.arena, 0), place.offset + place.size)
    return tuple(sizes[a] for a in sorted(sizes))


def aligned(size: int) -> int:
    return -(-max(size, 1) // ALIGNMENT) * ALIGNMENT


@dataclass(slots=True, eq=False)
class Arena:
    """Free stretches below the top, as (offset, bytes) in order; above it all is free."""

    top: int = 0
    free: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def fit(self, size: int) -> tuple[int, int, int]:
        """What taking `size` bytes here would cost: growth, bytes left over in the stretch, and the offset."""
        fitting = [(length - size, offset) for offset, length in self.free if length >= size]
        if fitting:
            return (0, *min(fitting))
        if self.free and sum(self.free[-1]) == self.top:
            offset, length = self.free[-1]
            return size - length, 0, offset
        return size, 0, self.top

    def take(self, offset: int, size: int) -> None:
        self.top = max(self.top, offset + size)
        place = bisect_left(self.free, (offset, 0))
        if place < len(self.free) and self.free[place][0] == offset:
            _, length = self.free.pop(place)
            if length > size:
                insort(self.free, (offset + size, length - size))

    def give_back(self, offset: int, size: int) -> None:
        """Free a stretch, and join it with free neighbours."""
        place = bisect_left(self.free, (offset, 0))
        if place < len(self.free) and self.free[place][0] == offset + size:
            size += self.free.pop(place)[1]
        if place and sum(self.free[place - 1]) == offset:
            before, length = self.free.pop(place - 1)
            offset, size = before, length + size
        insort(self.free, (offset, size))


def in_order_of_time(
    order: Sequence[str], lives: Mapping[str, Life], apart: Mapping[str, set[str]]
) -> dict[str, Place]:
    """Places given as a run would: each tensor where it fits best when it is first needed."""
    arenas: list[Arena] = []
    places: dict[str, Place] = {}
    ends = sorted(lives, key=lambda n: lives[n].last)
    ended = 0
    for name in order:
        life = lives[name]
        while lives[ends[ended]].last < life.first:
            gone = places[ends[ended]]
            arenas[gone.arena].give_back(gone.offset, aligned(gone.size))
            ended += 1
        taken = {places[n].arena for n in apart[name] if n in places}
        costs = [(*a.fit(aligned(life.size)), number) for number, a in enumerate(arenas) if number not in taken]
        costs = [c for c in costs if c[2] + life.size <= MOST]
        if not costs:
            arenas.append(Arena())
            costs = [(0, 0, 0, len(arenas) - 1)]
        _, _, offset, number = min(costs)
        arenas[number].take(offset, aligned(life.size))
        places[name] = Place(number, offset, life.size)
    return places


def in_any_order(order: Sequence[str], lives: Mapping[str, Life], apart: Mapping[str, set[str]]) -> dict[str, Place]:
    """Places given to one tensor after the other, each where it makes its arena grow least."""
    inside: list[list[str]] = []
    places: dict[str, Place] = {}
    for name in order:
        life = lives[name]
        taken = {places[n].arena for n in apart[name] if n in places}
        best = (life.size, 0, 0, len(inside))
        for number, names in enumerate(inside):
            if number in taken:
                continue
            top = max(places[n].offset + places[n].size for n in names)
            offset, left = lowest_gap([places[n] for n in names if lives[n].meets(life)], life.size)
            if offset + life.size <= MOST:
                best = min(best, (max(0, offset + life.size - top), left, offset, number))
        _, _, offset, number = best
        if number == len(inside):
            inside.append([])
        inside[number].append(name)
        places[name] = Place(number, offset, life.size)
    return places


def lowest_gap(others: Sequence[Place], size: int) -> tuple[int, int]:
    """The offset of the tightest stretch of `size` bytes between others, and what it leaves over; above them all, nothing is left."""
    found: list[tuple[int, int]] = []
    end = 0
    for place in sorted(others, key=lambda p: p.offset):
        if place.offset - end >= size:
            found.append((place.offset - end - size, end))
        end = max(end, aligned(place.offset + place.size))
    if not found:
        return end, 0
    left, offset = min(found)
    return offset, left
