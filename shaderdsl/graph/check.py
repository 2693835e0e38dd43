"""Whether a plan is sound, asked before it first runs, from the launches themselves and not from what made the plan.

check(planned, layout)      # an InternalError names the launch and what is wrong; a LimitError what no device with the portable limits takes

- order: what a launch reads was given or written before; what is written is written once; results are made.
- lifetimes: two tensors share memory only where one is needed no more before the other is written.
- aliases: what a launch writes lies in no buffer that it reads, but for results written over arguments, whose last reader it is.
- limits: bindings, their sizes, workgroups, uniforms, buffers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from shaderdsl.errors import InternalError, LimitError
from shaderdsl.execute import fold
from shaderdsl.graph.donate import How
from shaderdsl.graph.memory import ALIGNMENT, Layout, Place
from shaderdsl.graph.overwrite import loads_first
from shaderdsl.graph.plan import Planned
from shaderdsl.ir.kernel import Role
from shaderdsl.ir.layout import size_of
from shaderdsl.runtime.limits import PORTABLE
from shaderdsl.schedule.group import Launch
from shaderdsl.spec.notation import TensorInput


def check(planned: Planned, layout: Layout, limits: Mapping[str, int] = PORTABLE) -> None:
    """Raise what is wrong with a plan first."""
    check_order(planned)
    check_overwrites(planned)
    for launch in planned.launches:
        check_bindings(launch)
        check_limits(planned, launch, limits)
    if layout.packed:
        check_places(planned, layout, limits)
        check_buffers(planned.launches, layout.places)
        check_lifetimes(planned, layout.places)


def check_order(planned: Planned) -> None:
    """Every read is of something that is there, and every result is made."""
    flat = planned.flat
    known = {i.name for i in flat.spec.inputs if isinstance(i, TensorInput)}
    known |= {n for n in planned.last if 0 in flat.shapes[n]}
    for launch in planned.launches:
        missing = next((n for n in launch.reads if n not in known), None)
        if missing is not None:
            raise InternalError(f"{launch.name} reads {missing} before it is written")
        twice = next((n for n in launch.writes if n in known and 0 not in flat.shapes[n]), None)
        if twice is not None:
            raise InternalError(f"{launch.name} writes {twice}, which is there already")
        known.update(launch.writes)
    left = next((n for n in flat.spec.outputs if n not in known and 0 not in flat.shapes[n]), None)
    if left is not None:
        raise InternalError(f"no launch makes the result {left}")


def check_bindings(launch: Launch) -> None:
    """A launch binds what it says it reads and writes: each once, and in the role that it says."""
    buffers = launch.bound
    if len(buffers) != len(launch.kernel.buffers) or len({(b.group, b.binding) for b in buffers.values()}) != len(
        buffers
    ):
        raise InternalError(f"{launch.name} binds a tensor or a place twice")
    if set(buffers) != {*launch.reads, *launch.writes} - set(launch.over.values()):
        raise InternalError(f"{launch.name} binds {sorted(buffers)}, and reads and writes other tensors")
    for name, buffer in buffers.items():
        role = Role.INOUT if name in launch.over else Role.OUT if name in launch.writes else Role.IN
        if buffer.role is not role or buffer.written is not (role is not Role.IN):
            raise InternalError(f"{launch.name} has {name} as {buffer.role.value}, not as {role.value}")


def check_overwrites(planned: Planned) -> None:
    """What is written over an argument is what takes it over, at its last use, element by element after the reads."""
    last = {n: number for number, launch in enumerate(planned.launches) for n in launch.reads}
    for number, launch in enumerate(planned.launches):
        for name, argument in launch.over.items():
            take = planned.takes.get(name)
            if take is None or take.argument != argument or take.how is not How.OVER:
                raise InternalError(f"{launch.name} writes {name} over {argument}, which it does not take over")
            if last[argument] > number:
                raise InternalError(f"{launch.name} writes over {argument}, which a later launch reads")
            if not loads_first(launch.kernel, launch.bound[name].variable.name):
                raise InternalError(f"{launch.name} reads {argument} after it has written over it")
    written = {n: number for number, launch in enumerate(planned.launches) for n in launch.writes}
    for name, take in planned.takes.items():
        if take.how is How.AFTER and last.get(take.argument, -1) >= written[name]:
            raise InternalError(f"{name} takes the memory of {take.argument}, which is still read")


def check_limits(planned: Planned, launch: Launch, limits: Mapping[str, int]) -> None:
    """What no device takes, at the user's line."""
    bound = launch.bound
    most = limits["max-storage-buffers-per-shader-stage"]
    if len(bound) > most:
        raise InternalError(f"{launch.name} binds {len(bound)} tensors, the limit is {most}")
    widest = limits["max-storage-buffer-binding-size"]
    for name in bound:
        if planned.size(name) > widest:
            raise LimitError(
                f"{name} of {launch.name} takes {planned.size(name)} bytes, {planned.size(name) - widest} more than can be bound",
                launch.loc,
                hints=["split the arrays along an axis"],
            )
    uniform = launch.kernel.uniform
    if uniform is not None and size_of(uniform.struct) > limits["max-uniform-buffer-binding-size"]:
        raise LimitError(
            f"the numbers of {launch.name} take {size_of(uniform.struct)} bytes, more than a uniform holds",
            launch.loc,
            hints=["pass them as an array"],
        )
    if max(fold(launch.groups)) > limits["max-compute-workgroups-per-dimension"]:
        raise LimitError(
            f"{launch.name} takes {launch.groups} workgroups, more than two axes hold",
            launch.loc,
            hints=["split the arrays along an axis"],
        )


def check_places(planned: Planned, layout: Layout, limits: Mapping[str, int]) -> None:
    """Each place is aligned, large enough, and inside its arena."""
    for number, size in enumerate(layout.arenas):
        if size > limits["max-buffer-size"]:
            raise InternalError(f"arena {number} takes {size} bytes, more than a buffer")
    for name, place in layout.places.items():
        if place.offset % ALIGNMENT:
            raise InternalError(f"{name} lies at {place.offset}, which cannot be bound")
        if place.size < planned.size(name):
            raise InternalError(f"{name} has {place.size} bytes and needs {planned.size(name)}")
        if place.offset < 0 or place.offset + place.size > layout.arenas[place.arena]:
            raise InternalError(f"{name} reaches out of arena {place.arena}")


def check_buffers(launches: Sequence[Launch], places: Mapping[str, Place]) -> None:
    """No buffer is read and written by one launch."""
    for launch in launches:
        read = {places[n].arena: n for n in launch.reads if n in places}
        for name in launch.writes:
            if name in places and places[name].arena in read:
                raise InternalError(f"{launch.name} reads {read[places[name].arena]} and writes {name} in one buffer")


@dataclass(slots=True, eq=False)
class Held:
    """What the stretches of an arena hold: places in order, none of which meet."""

    offsets: list[int] = field(default_factory=list[int])
    inside: list[tuple[str, Place]] = field(default_factory=list["tuple[str, Place]"])
    names: set[str] = field(default_factory=set[str])

    def write(self, name: str, place: Place) -> list[str]:
        """Put a tensor in its place; the names of those that it takes the memory of."""
        first = bisect_left(self.offsets, place.offset)
        if first and meets(self.inside[first - 1][1], place):
            first -= 1
        last = bisect_left(self.offsets, place.offset + place.size)
        gone = [n for n, _ in self.inside[first:last]]
        self.names -= set(gone)
        self.offsets[first:last] = [place.offset]
        self.inside[first:last] = [(name, place)]
        self.names.add(name)
        return gone


def check_lifetimes(planned: Planned, places: Mapping[str, Place]) -> None:
    """Run through the launches and keep which tensor each stretch of memory holds: what is read must still be there."""
    arenas: dict[int, Held] = {}
    for writer, writes, reads in moments(planned, places):
        for name in reads:
            if name not in arenas.setdefault(places[name].arena, Held()).names:
                raise InternalError(f"{writer} reads {name}, whose memory something else has taken")
        for name in writes:
            gone = arenas.setdefault(places[name].arena, Held()).write(name, places[name])
            both = next((n for n in gone if n in writes), None)
            if both is not None:
                raise InternalError(f"{writer} writes {name} and {both} to one place")


def moments(planned: Planned, places: Mapping[str, Place]) -> Iterator[tuple[str, list[str], list[str]]]:
    """What is written and read in a run, in order: the upload, the launches, the download."""
    inputs = [i.name for i in planned.flat.spec.inputs if i.name in places]
    yield "the upload", inputs, []
    for launch in planned.launches:
        reads = [n for n in launch.reads if n in places and 0 not in planned.flat.shapes[n]]
        yield launch.name, [n for n in launch.writes if n in places], reads
    yield "the download", [], [n for n in planned.made if n in places]


def meets(first: Place, second: Place) -> bool:
    return first.offset < second.offset + second.size and second.offset < first.offset + first.size
