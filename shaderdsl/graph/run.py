"""Launches of a plan on a device or interpreted, with all that lies between them staying there.

run(planned, {"x": x}, {"lr": 0.1}, "wgpu")     # arrays by result
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from shaderdsl.corridor import lower
from shaderdsl.execute import INTERPRETER, fold, uniform_bytes
from shaderdsl.graph.plan import Planned
from shaderdsl.interp.run import interpret
from shaderdsl.ir.kernel import ZERO, Kernel
from shaderdsl.ir.types import Vector
from shaderdsl.numeric.host import Memory
from shaderdsl.numeric.values import DTYPES
from shaderdsl.runtime.array import DeviceArray, upload
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Backend, Device, open_device
from shaderdsl.runtime.launch import launch
from shaderdsl.schedule.group import Launch
from shaderdsl.schedule.step import STORED
from shaderdsl.spec.notation import Dtype
from shaderdsl.wgsl.module import Dialect, emit
from shaderdsl.wgsl.shader import Shader

Host = NDArray[Any]


@dataclass(slots=True, eq=False)
class Shaders:
    """The shaders of a plan's launches, each made when it is first needed."""

    made: dict[tuple[Launch, Backend], Shader] = field(default_factory=dict[tuple[Launch, Backend], Shader])

    def of(self, given: Launch, backend: Backend) -> Shader:
        key = (given, backend)
        if key not in self.made:
            dawn = backend is Backend.DAWN
            kernel = lower(given.kernel, clear=not dawn)
            self.made[key] = emit(kernel, Dialect.TINT if dawn else Dialect.NAGA)
        return self.made[key]


class Memories(Protocol):
    """Where the tensors of a run lie."""

    def give(self, name: str, dtype: Dtype, array: Host | DeviceArray) -> None: ...
    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None: ...
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
            array.check(name)
            self.buffers[name] = array.buffer
            self.borrowed.add(name)
        else:
            self.buffers[name] = upload(np.asarray(array), STORED[dtype], self.device)

    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        del dtype  # every element is a word
        self.buffers[name] = DeviceBuffer.allocate(self.device, 4 * math.prod(shape))

    def launch(self, given: Launch, params: Mapping[str, Any]) -> None:
        shader = self.shaders.of(given, self.device.backend)
        bound = {n: self.buffers[n] for n in (*given.reads, *given.writes)}
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

    def launch(self, given: Launch, params: Mapping[str, Any]) -> None:
        kernel = given.kernel
        storage: dict[Any, Memory] = {b.variable: self.view(b.variable.name, b.element) for b in kernel.buffers}
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


def run(
    planned: Planned,
    arrays: Mapping[str, Host | DeviceArray],
    numbers: Mapping[str, Any],
    device: str,
    shaders: Shaders,
    *,
    resident: bool,
) -> dict[str, Host | DeviceArray]:
    """The results of a plan. resident: whether they stay on the device."""
    memories: Memories = Interpreted() if device == INTERPRETER else OnDevice(open_device(Backend(device)), shaders)
    flat, made = planned.flat, set[str]()
    kept = set(flat.spec.outputs)
    try:
        for name, array in {**flat.constants, **arrays}.items():
            if name in flat.dtypes:
                memories.give(name, flat.dtypes[name], array)
                made.add(name)
        for number, given in enumerate(planned.launches):
            for name in given.writes:
                memories.make(name, flat.dtypes[name], flat.shapes[name])
                made.add(name)
            memories.launch(given, params_of(given.kernel, numbers))
            for name in (*given.reads, *given.writes):
                if planned.last[name] == number and name not in kept:
                    memories.drop(name)
        return {n: result(planned, n, memories, made, resident=resident) for n in kept}
    finally:
        for name in made:
            if not resident or name not in kept:
                memories.drop(name)


def result(planned: Planned, name: str, memories: Memories, made: set[str], *, resident: bool) -> Host | DeviceArray:
    """A result as the caller gets it: conditions as bool, and what no launch has made is empty."""
    flat = planned.flat
    dtype, shape = flat.dtypes[name], tuple(flat.shapes[name])
    if name not in made:
        memories.make(name, dtype, shape)
        made.add(name)
    found = memories.result(name, dtype, shape, resident=resident)
    return found.astype(np.bool_) if dtype is Dtype.BOOL and not isinstance(found, DeviceArray) else found


def params_of(kernel: Kernel, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The uniform's fields."""
    if kernel.uniform is None:
        return {}
    return {n: numbers[n] for n in kernel.uniform.params} | {ZERO: np.uint32(0)}
