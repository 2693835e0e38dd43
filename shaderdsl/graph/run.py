"""Launches of a plan one after the other, interpreted or on a device, with all that lies between them staying there.

stepped(planned, Arguments({"x": x}, {"lr": 0.1}), Interpreted())     # arrays by result

A plan on a device is replayed in one submission instead (see `replay`), unless its memory cannot be laid out well before.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from shaderdsl.corridor import lower
from shaderdsl.errors import DeviceError, DriverError, LimitError, Location
from shaderdsl.execute import INTERPRETER, fold, uniform_bytes
from shaderdsl.graph.plan import Planned
from shaderdsl.interp.run import interpret
from shaderdsl.ir.kernel import ZERO, Kernel
from shaderdsl.ir.types import Vector
from shaderdsl.numeric.host import Memory
from shaderdsl.numeric.values import DTYPES
from shaderdsl.runtime.array import DeviceArray, upload
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Backend, Device
from shaderdsl.runtime.launch import launch
from shaderdsl.schedule.group import Launch
from shaderdsl.schedule.step import STORED
from shaderdsl.spec.notation import Dtype
from shaderdsl.wgsl.module import Dialect, emit
from shaderdsl.wgsl.shader import Shader

Host = NDArray[Any]
Arrays = Mapping[str, Host | DeviceArray]


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a plan is called with, by the names of the graph. donated: those whose memory the results take over, all resident."""

    arrays: Arrays
    numbers: Mapping[str, Any]
    donated: frozenset[str] = frozenset()

    @property
    def resident(self) -> bool:
        """Whether results stay on the device."""
        return any(isinstance(a, DeviceArray) for n, a in self.arrays.items() if n not in self.donated)


@dataclass(slots=True, eq=False)
class Shaders:
    """The shaders of a plan's kernels, each made when it is first needed."""

    made: dict[tuple[Kernel, Backend], Shader] = field(default_factory=dict[tuple[Kernel, Backend], Shader])

    def of(self, given: Launch, backend: Backend) -> Shader:
        key = (given.kernel, backend)
        if key not in self.made:
            dawn = backend is Backend.DAWN
            lowered = lower(given.kernel, clear=not (dawn or given.fills_shared))
            self.made[key] = emit(lowered, Dialect.TINT if dawn else Dialect.NAGA)
        return self.made[key]


class Memories(Protocol):
    """Where the tensors of a run lie."""

    def give(self, name: str, dtype: Dtype, array: Host | DeviceArray) -> None: ...
    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None: ...
    def take(self, name: str, argument: str) -> None: ...
    def launch(self, given: Launch, params: Mapping[str, Any]) -> None: ...
    def result(self, name: str, dtype: Dtype, shape: tuple[int, ...], *, resident: bool) -> Host | DeviceArray: ...
    def drop(self, name: str) -> None: ...


@dataclass(slots=True, eq=False)
class OnDevice:
    """Buffers of a device; those of resident arguments are borrowed."""

    device: Device
    shaders: Shaders
    buffers: dict[str, DeviceBuffer] = field(default_factory=dict[str, DeviceBuffer])
    borrowed: set[str] = field(default_factory=set[str])

    def give(self, name: str, dtype: Dtype, array: Host | DeviceArray) -> None:
        if isinstance(array, DeviceArray) and array.buffer is not None:
            self.buffers[name] = array.buffer
            self.borrowed.add(name)
        else:
            self.buffers[name] = upload(np.asarray(array), STORED[dtype], self.device)

    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        del dtype  # every element is a word
        self.buffers[name] = DeviceBuffer.allocate(self.device, 4 * math.prod(shape))

    def take(self, name: str, argument: str) -> None:
        self.buffers[name] = self.buffers[argument]
        self.borrowed.add(name)

    def launch(self, given: Launch, params: Mapping[str, Any]) -> None:
        shader = self.shaders.of(given, self.device.backend)
        bound = {b.variable.name: self.buffers[n] for n, b in given.bound.items()}
        launch(self.device, shader, bound, uniform_bytes(given.kernel, params), fold(given.groups))

    def result(self, name: str, dtype: Dtype, shape: tuple[int, ...], *, resident: bool) -> Host | DeviceArray:
        if resident:
            self.borrowed.add(name)
            return DeviceArray(STORED[dtype], shape, self.device.backend.value, self.buffers[name], None)
        return self.buffers[name].download(DTYPES[STORED[dtype]], shape)

    def drop(self, name: str) -> None:
        buffer = self.buffers.pop(name, None)
        if buffer is not None and name not in self.borrowed:
            buffer.free()


@dataclass(slots=True, eq=False)
class Interpreted:
    """Flat numpy arrays."""

    arrays: dict[str, Host] = field(default_factory=dict[str, Host])

    def give(self, name: str, dtype: Dtype, array: Host | DeviceArray) -> None:
        host = array.host if isinstance(array, DeviceArray) else array
        self.arrays[name] = np.asarray(host, DTYPES[STORED[dtype]]).reshape(-1).copy()

    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        self.arrays[name] = np.zeros(math.prod(shape), DTYPES[STORED[dtype]])

    def take(self, name: str, argument: str) -> None:
        self.arrays[name] = self.arrays[argument]

    def launch(self, given: Launch, params: Mapping[str, Any]) -> None:
        kernel = given.kernel
        storage: dict[Any, Memory] = {b.variable: self.view(n, b.element) for n, b in given.bound.items()}
        lanes: dict[str, Memory] = {n: np.asarray(v)[np.newaxis] for n, v in params.items()}
        interpret(kernel, storage, lanes, fold(given.groups))

    def view(self, name: str, element: object) -> Host:
        """The array as the kernel binds it: vectors are rows."""
        return self.arrays[name].reshape(-1, element.size) if isinstance(element, Vector) else self.arrays[name]

    def result(self, name: str, dtype: Dtype, shape: tuple[int, ...], *, resident: bool) -> Host | DeviceArray:
        host = self.arrays[name].reshape(shape)
        return DeviceArray(STORED[dtype], shape, INTERPRETER, None, host) if resident else host

    def drop(self, name: str) -> None:
        self.arrays.pop(name, None)


def stepped(planned: Planned, arguments: Arguments, memories: Memories) -> dict[str, Host | DeviceArray]:
    """The results that a plan's launches make. What takes over an argument is resident, and so are all where another argument is."""
    flat, made = planned.flat, set[str]()
    kept = planned.made
    try:
        for name, array in {**flat.constants, **arguments.arrays}.items():
            if name in flat.dtypes:
                memories.give(name, flat.dtypes[name], array)
                made.add(name)
        for name in planned.last:
            if 0 in flat.shapes[name] and name not in made:  # no launch makes it
                memories.make(name, flat.dtypes[name], flat.shapes[name])
                made.add(name)
        for number, given in enumerate(planned.launches):
            step(planned, given, arguments, memories)
            made.update(given.writes)
            for name in (*given.reads, *given.writes):
                if planned.last[name] == number and name not in kept:
                    memories.drop(name)
        return {n: result(planned, n, arguments, memories) for n in kept}
    finally:
        for name in made:
            memories.drop(name)


def step(planned: Planned, given: Launch, arguments: Arguments, memories: Memories) -> None:
    """One launch, with memory for what it makes."""
    flat = planned.flat
    for name in given.writes:
        if name in given.over:
            memories.take(name, given.over[name])
        else:
            memories.make(name, flat.dtypes[name], flat.shapes[name])
    with at_line(given.loc):
        memories.launch(given, params_of(given.kernel, arguments.numbers))


@contextmanager
def at_line(loc: Location | None) -> Generator[None]:
    """What a driver or a limit refuses stands where the user called the op, if it stands nowhere else."""
    try:
        yield
    except (DriverError, DeviceError, LimitError) as error:
        error.loc = error.loc or loc
        raise


def result(planned: Planned, name: str, arguments: Arguments, memories: Memories) -> Host | DeviceArray:
    flat = planned.flat
    resident = (arguments.resident or name in planned.takes) and name not in planned.faults
    return memories.result(name, flat.dtypes[name], tuple(flat.shapes[name]), resident=resident)


def params_of(kernel: Kernel, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The uniform's fields."""
    if kernel.uniform is None:
        return {}
    return {n: numbers[n] for n in kernel.uniform.params} | {ZERO: np.uint32(0)}
