"""Buffers on a device: uploaded once, bound by name in launches, read back on request.

    x = DeviceBuffer.upload(device, numpy.arange(8, dtype="float32"))
    x.download(numpy.float32, (8,))
    x.free()

A buffer is never smaller than 16 bytes and always a multiple of 4, whatever its `size`: a binding of size 0 ends the process under some
drivers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from shaderdsl.errors import LaunchError, LimitError
from shaderdsl.runtime.device import Device
from shaderdsl.runtime.native import RawBuffer
from shaderdsl.runtime.scope import error_scope

COPY_SOURCE, COPY_TARGET, UNIFORM, STORAGE = 0x04, 0x08, 0x40, 0x80
"""WebGPU's buffer usage bits."""

LEAST = 16
GUARD, GUARD_BYTE = 256, 0xA5
"""Bytes on each side of a guarded buffer, an offset that every device takes; and what they hold."""
POISON = b"\xd5\x7f"
"""What tests fill outputs with: NaN as f32 and as f16, 2144698325 as an integer, so that an element never written is seen."""

Data: TypeAlias = bytes | bytearray | memoryview | NDArray[Any]


@dataclass(slots=True, eq=False)
class DeviceBuffer:
    """`size` bytes of data in a storage buffer of `capacity` bytes; unusable once freed. `guard`: bytes on either side that nobody may write."""

    device: Device
    size: int
    capacity: int
    raw: RawBuffer
    freed: bool = False
    guard: int = 0
    serial: int = field(default_factory=count().__next__)
    """Its number among all buffers, which no other is given later."""

    @classmethod
    def allocate(cls, device: Device, size: int, *, least: int = LEAST, fill: bytes = b"") -> DeviceBuffer:
        """`size` bytes of zeros, or of `fill` repeated. `least`: what the binding needs even if there is no data."""
        capacity = max(padded(size), padded(least), LEAST)
        limit = device.limits["max-buffer-size"]
        if capacity > limit:
            raise LimitError(
                f"a buffer of {capacity} bytes is larger than the device's {limit}",
                hints=["split the array into chunks"],
            )
        guard = 0 if device.guards is None else GUARD
        with error_scope(device, f"a buffer of {capacity} bytes"):
            raw = device.raw.create_buffer(size=capacity + 2 * guard, usage=STORAGE | COPY_SOURCE | COPY_TARGET)
        buffer = cls(device, size, capacity, raw, guard=guard)
        if guard:
            buffer.put_guards()
        if fill:
            buffer.fill(fill)
        return buffer

    @classmethod
    def upload(cls, device: Device, data: Data, *, least: int = LEAST) -> DeviceBuffer:
        """A buffer that holds a copy of `data`, an array or bytes."""
        buffer = cls.allocate(device, flat_bytes(data).nbytes, least=least)
        buffer.write(data)
        return buffer

    def write(self, data: Data) -> None:
        """Replace the whole content."""
        content = flat_bytes(data)
        if content.nbytes != self.size:
            raise LaunchError(
                f"cannot write {content.nbytes} bytes into a buffer of {self.size}",
                hints=["make a new buffer for data of another size"],
            )
        self.put(content)

    def fill(self, pattern: bytes) -> None:
        """The pattern over and over, through the padding too."""
        self.put(np.resize(np.frombuffer(pattern, np.uint8), self.capacity))

    def put(self, content: NDArray[np.uint8], offset: int = 0) -> None:
        """Write from an offset on, in whole words."""
        self.check()
        if content.nbytes == 0:
            return
        if content.nbytes % 4:
            content = np.concatenate([content, np.zeros(-content.nbytes % 4, np.uint8)])
        with error_scope(self.device, f"an upload of {content.nbytes} bytes"):
            self.device.raw.queue.write_buffer(self.raw, self.guard + offset, content)

    def put_guards(self) -> None:
        """The pattern in front of the data and from its last word on."""
        front = np.full(self.guard, GUARD_BYTE, np.uint8)
        behind = np.full(self.guard + self.capacity - padded(self.size), GUARD_BYTE, np.uint8)
        with error_scope(self.device, "the guards of a buffer"):
            self.device.raw.queue.write_buffer(self.raw, 0, front)
            self.device.raw.queue.write_buffer(self.raw, self.guard + padded(self.size), behind)

    def look_at_guards(self) -> None:
        """Let the device's guards see what is around the data."""
        if self.guard and self.device.guards is not None:
            with error_scope(self.device, "the guards of a buffer"):
                whole = np.frombuffer(self.device.raw.queue.read_buffer(self.raw, 0), np.uint8)
            self.device.guards.look(whole[: self.guard], whole[self.guard + padded(self.size) :], self.size)

    def read(self) -> NDArray[np.uint8]:
        """The content as bytes, when all launches so far are done."""
        self.check()
        if self.size == 0:
            return np.zeros(0, np.uint8)
        with error_scope(self.device, f"a download of {self.size} bytes"):
            view = self.device.raw.queue.read_buffer(self.raw, self.guard, padded(self.size))
        return np.frombuffer(view, np.uint8)[: self.size].copy()

    def download(self, dtype: DTypeLike, shape: Sequence[int]) -> NDArray[Any]:
        """The content as an array of this dtype and shape, which must take up the whole buffer."""
        wanted = np.dtype(dtype).itemsize * prod(shape)
        if wanted != self.size:
            raise LaunchError(
                f"a buffer of {self.size} bytes is no array of {np.dtype(dtype)} and shape {tuple(shape)}: that takes {wanted}"
            )
        return self.read().view(dtype).reshape(tuple(shape))

    def copy(self) -> DeviceBuffer:
        """Another buffer with the same content."""
        self.check()
        found = DeviceBuffer.allocate(self.device, self.size)
        if self.size:
            with error_scope(self.device, f"a copy of {self.size} bytes"):
                encoder = self.device.raw.create_command_encoder()
                encoder.copy_buffer_to_buffer(self.raw, self.guard, found.raw, found.guard, padded(self.size))
                self.device.raw.queue.submit([encoder.finish()])
        return found

    def free(self) -> None:
        """Give the memory back now; freeing twice is no error."""
        if self.freed:
            return
        self.look_at_guards()
        self.freed = True
        with self.device.lock:
            self.raw.destroy()

    def check(self, name: str = "") -> None:
        """A LaunchError if the buffer was freed."""
        if self.freed:
            raise LaunchError(
                f"buffer {name!r} was freed" if name else "the buffer was freed",
                hints=["keep the array until its last launch"],
            )


def padded(size: int) -> int:
    """The next multiple of 4: WebGPU copies and binds whole words."""
    return (size + 3) // 4 * 4


def flat_bytes(data: Data) -> NDArray[np.uint8]:
    """The bytes of an array or a buffer, copied only where they are not contiguous."""
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data).reshape(-1).view(np.uint8)
    return np.frombuffer(data, np.uint8)
