"""Words around every buffer that nobody may write: what a kernel stores beside its data is seen when the buffer is given back.

    with guarded(open_device(Backend.WGPU)) as guards:
        softmax(x, device="wgpu")
    guards.faults          # "3 bytes behind a buffer of 28 were written", a line each; guards.checked counts the buffers

A binding reaches over the words behind the data, so that a store there arrives instead of being clamped.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from shaderdsl.runtime.buffers import GUARD_BYTE
from shaderdsl.runtime.device import Device


@dataclass(slots=True)
class Guards:
    """What has been looked at and what was written where nothing may be."""

    faults: list[str] = field(default_factory=list[str])
    checked: int = 0

    def look(self, front: NDArray[Any], behind: NDArray[Any], size: int) -> None:
        """Note the bytes that are no longer the pattern."""
        self.checked += 1
        for where, zone in (("in front of", front), ("behind", behind)):
            count = int((zone != GUARD_BYTE).sum())
            if count:
                self.faults.append(f"{count} bytes {where} a buffer of {size} were written")


@contextmanager
def guarded(device: Device) -> Generator[Guards]:
    """Guards around all buffers that are made on the device inside the block, and looked at when they are given back."""
    guards, before = Guards(), device.guards
    device.guards = guards
    try:
        yield guards
    finally:
        device.guards = before
