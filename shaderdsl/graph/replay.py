"""A plan on a device, made ready once: its memory, pipelines, bind groups, uniforms and grids; a run uploads, submits once, and downloads.

replay = Replay.of(planned, device, layout, shaders);  replay.run(arguments)

What a run does in Python goes with the number of arguments and results, not of dispatches, but for three calls of C each that put them on record.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shaderdsl.errors import DeviceError, LaunchError
from shaderdsl.execute import fold
from shaderdsl.graph.donate import How
from shaderdsl.graph.memory import Layout
from shaderdsl.graph.plan import Planned
from shaderdsl.graph.run import Arguments, Host, Shaders, at_line
from shaderdsl.graph.uniforms import Uniforms
from shaderdsl.numeric.host import to_device
from shaderdsl.numeric.values import DTYPES
from shaderdsl.runtime.array import DeviceArray, upload
from shaderdsl.runtime.buffers import DeviceBuffer, flat_bytes, padded
from shaderdsl.runtime.device import Device
from shaderdsl.runtime.launch import Pipeline, pipeline_of
from shaderdsl.runtime.scope import error_scope
from shaderdsl.runtime.submission import Commands, Copy, Dispatch, Readback, submit
from shaderdsl.schedule.group import Launch
from shaderdsl.schedule.step import STORED
from shaderdsl.wgsl.shader import Binding, BindingKind, Shader

KNOWN, SEEN = 4, 8
"""How many sets of arrays bind groups are kept for, and among how many of the last a set must come back to be one of them."""

Buffers = Mapping[str, DeviceBuffer]


@dataclass(frozen=True, slots=True)
class Ready:
    """A launch with its pipeline; `outer` are those of its tensors that each run brings along."""

    launch: Launch
    number: int
    shader: Shader
    pipeline: Pipeline
    outer: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Replay:
    """arenas, constants: memory of the plan's own. spares: memory for results that swap places with an argument. fixed: dispatches that are the same in each run, None else."""

    planned: Planned
    device: Device
    layout: Layout
    arenas: tuple[DeviceBuffer, ...]
    constants: Buffers
    uniforms: Uniforms
    ready: tuple[Ready, ...]
    readback: Readback | None
    copies: tuple[Copy, ...]
    spares: dict[str, DeviceBuffer] = field(default_factory=dict[str, DeviceBuffer])
    fixed: tuple[Dispatch | None, ...] = ()
    known: dict[tuple[int, ...], Commands] = field(default_factory=dict[tuple[int, ...], Commands])
    seen: deque[tuple[int, ...]] = field(default_factory=lambda: deque[tuple[int, ...]](maxlen=SEEN))

    @classmethod
    def of(cls, planned: Planned, device: Device, layout: Layout, shaders: Shaders) -> Replay:
        """Everything that is the same in each run. layout: of what a run does not bring along."""
        with device.lock:
            arenas = allocated(planned, device, layout)
            constants = {
                n: constant(array, planned, n, device)
                for n, array in planned.flat.constants.items()
                if n in planned.last
            }
            ready = tuple(
                made_ready(device, shaders, launch, number, {*layout.places, *constants})
                for number, launch in enumerate(planned.launches)
            )
            uniforms = Uniforms.of(device, [launch.kernel for launch in planned.launches])
            readback, copies = downloads(planned, device, layout, arenas)
            found = cls(planned, device, layout, arenas, constants, uniforms, ready, readback, copies)
            found.fixed = tuple(None if r.outer else found.dispatch(r, {}) for r in ready)
        return found

    def run(self, arguments: Arguments) -> dict[str, Host | DeviceArray]:
        """The results that launches make."""
        with self.device.lock:
            outer = self.outer(arguments)
            self.upload(arguments)
            commands = self.commands(outer)
            submit(self.device, f"{len(self.ready)} launches", commands, self.copies)
            self.swap(outer)
            return self.results(outer)

    def outer(self, arguments: Arguments) -> dict[str, DeviceBuffer]:
        """The buffers that this run brings along: of resident arguments, and for resident results."""
        found: dict[str, DeviceBuffer] = {}
        for name, array in arguments.arrays.items():
            if isinstance(array, DeviceArray) and array.buffer is not None:
                check_device(name, array.buffer, self.device)
                found[name] = array.buffer
        for name in self.planned.made:
            if name not in self.layout.places:
                found[name] = self.target(name, found)
        return found

    def target(self, name: str, found: Buffers) -> DeviceBuffer:
        """Memory for a result: an argument's that it takes over, the one that waits for it, or new."""
        take = self.planned.takes.get(name)
        if take is not None and take.how is not How.SWAP:
            return found[take.argument]
        return self.spares.pop(name, None) or DeviceBuffer.allocate(self.device, self.planned.size(name))

    def upload(self, arguments: Arguments) -> None:
        for name, array in arguments.arrays.items():
            place = self.layout.places.get(name)
            if place is not None:
                content = flat_bytes(to_device(np.asarray(array), STORED[self.planned.flat.dtypes[name]]))
                self.arenas[place.arena].put(content, place.offset)
        self.uniforms.write(arguments.numbers)

    def commands(self, outer: Buffers) -> Commands:
        """All dispatches, with bind groups of these buffers; kept where the same buffers come again."""
        key = tuple(b.serial for b in outer.values())
        if key in self.known:
            return self.known[key]
        commands = Commands.of(self.device, [f or self.dispatch(r, outer) for f, r in zip(self.fixed, self.ready)])
        if key in self.seen or not key:
            self.known = {k: self.known[k] for k in list(self.known)[1 - KNOWN :]} | {key: commands}
        self.seen.append(key)
        return commands

    def dispatch(self, ready: Ready, outer: Buffers) -> Dispatch:
        launch, shader = ready.launch, ready.shader
        with at_line(launch.loc), error_scope(self.device, f"a launch of {launch.name!r}", shader.lines):
            bound = [
                self.device.raw.create_bind_group(
                    layout=layout,
                    entries=[self.entry(b, ready, outer) for b in shader.bindings if b.group == index],
                )
                for index, layout in enumerate(ready.pipeline.layouts)
            ]
        return Dispatch(ready.pipeline.raw, tuple(bound), fold(launch.groups), launch.name, launch.loc)

    def entry(self, binding: Binding, ready: Ready, outer: Buffers) -> dict[str, Any]:
        """A bind group's entry: exactly the bytes of a tensor, and the guards behind it where there are some."""
        if binding.kind is BindingKind.UNIFORM:
            offset = self.uniforms.offsets[ready.number]
            resource = {"buffer": self.uniforms.raw, "offset": offset, "size": binding.size}
        else:
            buffer, offset, size = self.place(ready.launch.tensor(binding.name), outer)
            size = max(padded(size), binding.size) + buffer.guard
            resource = {"buffer": buffer.raw, "offset": buffer.guard + offset, "size": size}
        return {"binding": binding.binding, "resource": resource}

    def place(self, name: str, outer: Buffers) -> tuple[DeviceBuffer, int, int]:
        """The buffer that holds a tensor, where in it, and how many bytes."""
        if name in self.layout.places:
            place = self.layout.places[name]
            return self.arenas[place.arena], place.offset, place.size
        buffer = self.constants[name] if name in self.constants else outer[name]
        return buffer, 0, buffer.size

    def swap(self, outer: Buffers) -> None:
        """Memory of arguments that results were written beside waits for the next run."""
        for name, take in self.planned.takes.items():
            if take.how is How.SWAP:
                self.spares[name] = outer[take.argument]

    def results(self, outer: Buffers) -> dict[str, Host | DeviceArray]:
        """Results of the host by one download, others as arrays over their buffers."""
        flat = self.planned.flat
        content = self.readback.read() if self.readback is not None else np.zeros(0, np.uint8)
        found: dict[str, Host | DeviceArray] = {}
        offset = 0
        for name in self.planned.made:
            element, shape = STORED[flat.dtypes[name]], tuple(flat.shapes[name])
            if name in outer:
                found[name] = DeviceArray(element, shape, self.device.backend.value, outer[name], None)
            else:
                size = self.planned.size(name)
                found[name] = content[offset : offset + size].view(DTYPES[element]).reshape(shape).copy()
                offset += padded(size)
        return found

    def free(self) -> None:
        """Give the plan's memory back."""
        for buffer in (*self.arenas, *self.constants.values(), *self.spares.values()):
            buffer.free()
        self.uniforms.free()
        if self.readback is not None:
            self.readback.free()


def allocated(planned: Planned, device: Device, layout: Layout) -> tuple[DeviceBuffer, ...]:
    """The arenas. If there is no memory for one, the error stands at the largest tensor in it."""
    found: list[DeviceBuffer] = []
    for number, size in enumerate(layout.arenas):
        try:
            found.append(DeviceBuffer.allocate(device, size))
        except DeviceError as error:
            inside = [n for n, p in layout.places.items() if p.arena == number]
            largest = max(inside, key=lambda n: layout.places[n].size)
            error.notes += (f"the buffer is for {', '.join(inside[:8])}{', ..' * (len(inside) > 8)}",)
            error.loc = planned.flat.lines.get(largest)
            raise
    return tuple(found)


def constant(array: Host | DeviceArray, planned: Planned, name: str, device: Device) -> DeviceBuffer:
    """A constant of the graph on the device: a copy, which nobody frees but the plan."""
    if isinstance(array, DeviceArray):
        array.check(name)
    return upload(np.asarray(array), STORED[planned.flat.dtypes[name]], device)


def made_ready(device: Device, shaders: Shaders, launch: Launch, number: int, inner: Iterable[str]) -> Ready:
    shader = shaders.of(launch, device.backend)
    outer = set(launch.bound) - set(inner)
    with at_line(launch.loc):
        return Ready(launch, number, shader, pipeline_of(device, shader), tuple(sorted(outer)))


def downloads(
    planned: Planned, device: Device, layout: Layout, arenas: Sequence[DeviceBuffer]
) -> tuple[Readback | None, tuple[Copy, ...]]:
    """Memory that the host reads results from, and the copies into it."""
    hosted = [n for n in planned.made if n in layout.places]
    size = sum(padded(planned.size(n)) for n in hosted)
    if not size:
        return None, ()
    readback = Readback.allocate(device, size)
    copies: list[Copy] = []
    offset = 0
    for name in hosted:
        place, length = layout.places[name], padded(planned.size(name))
        arena = arenas[place.arena]
        copies.append(Copy(arena.raw, arena.guard + place.offset, readback.raw, offset, length))
        offset += length
    return readback, tuple(copies)


def check_device(name: str, buffer: DeviceBuffer, device: Device) -> None:
    buffer.check(name)
    if buffer.device is not device:
        raise LaunchError(f"{name} lies on another device", hints=["upload it again: sd.array(..)"])
