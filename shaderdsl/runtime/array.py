"""Resident arrays: data that stays on a device between launches.

x = sd.array(host, device="wgpu");  y = kernel(x);  y.numpy()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import LaunchError
from shaderdsl.ir.types import Type
from shaderdsl.lang.here import here
from shaderdsl.numeric.host import from_device, to_device
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Device


@dataclass(slots=True, eq=False)
class DeviceArray:
    """`axes` elements of a type, on a device, or in host memory for the interpreter (`buffer` is None then).

    consumed: the plan that the array was donated to, which has its memory now.
    """

    element: Type
    axes: tuple[int, ...]
    device: str
    buffer: DeviceBuffer | None
    host: NDArray[Any] | None
    consumed: str = ""

    def check(self, name: str) -> None:
        """A LaunchError if the memory was given back, or to a plan."""
        if self.consumed:
            raise LaunchError(
                f"{f'array {name!r}' if name else 'the array'} was donated to {self.consumed}, which has updated it",
                hints=[f"use the array that {self.consumed} returned in its place"],
            )
        if self.buffer is not None:
            self.buffer.check(name)
        elif self.host is None:
            raise LaunchError(
                f"buffer {name!r} was freed" if name else "the buffer was freed",
                hints=["keep the array until its last launch"],
            )

    def numpy(self) -> NDArray[Any]:
        """A copy in host memory, once all launches so far are done."""
        try:
            self.check("")
        except LaunchError as error:
            error.loc = here()
            raise
        if self.buffer is None:
            return np.array(self.host)
        return from_device(self.buffer.read(), self.element, self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes; a vector's or matrix' components are not among them."""
        return self.axes

    def __array__(self, dtype: np.dtype[Any] | None = None, copy: bool | None = None) -> NDArray[Any]:
        del copy  # the data always crosses from the device
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def free(self) -> None:
        """Give the device memory back now; using the array afterwards is an error."""
        self.host = None
        if self.buffer is not None:
            self.buffer.free()

    def copy(self) -> DeviceArray:
        """Another array with the same content, on the same device."""
        self.check("")
        buffer = None if self.buffer is None else self.buffer.copy()
        host = None if self.host is None else self.host.copy()
        return DeviceArray(self.element, self.axes, self.device, buffer, host)

    def __repr__(self) -> str:
        return f"DeviceArray({self.element}, {self.axes}, device={self.device!r})"


def handed_over(array: DeviceArray, to: str) -> DeviceArray:
    """The same memory as a new array; the old one is consumed by the plan of that name."""
    found = DeviceArray(array.element, array.axes, array.device, array.buffer, array.host)
    array.buffer, array.host, array.consumed = None, None, to
    return found


def upload(host: NDArray[Any], element: Type, device: Device) -> DeviceBuffer:
    """A device's copy of a host array, padded as the layout asks."""
    return DeviceBuffer.upload(device, to_device(host, element).reshape(-1).view(np.uint8), least=16)
