"""The uniforms of all launches of a plan in one buffer, packed once: a run writes the numbers that changed, and the buffer if any did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import InternalError
from shaderdsl.graph.memory import aligned
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.layout import size_of, struct_layout
from shaderdsl.runtime.buffers import COPY_TARGET, UNIFORM
from shaderdsl.runtime.device import Device
from shaderdsl.runtime.native import RawBuffer
from shaderdsl.runtime.scope import error_scope

WORD = 4


@dataclass(slots=True, eq=False)
class Uniforms:
    """offsets: where each launch's struct begins, for launches that have one. places: the words that hold each number."""

    device: Device
    raw: RawBuffer | None
    words: NDArray[np.uint32]
    offsets: Mapping[int, int]
    places: Mapping[str, NDArray[np.intp]]
    fresh: bool = True

    @classmethod
    def of(cls, device: Device, kernels: Sequence[Kernel]) -> Uniforms:
        offsets: dict[int, int] = {}
        places: dict[str, list[int]] = {}
        size = 0
        for number, kernel in enumerate(kernels):
            if kernel.uniform is None:
                continue
            offsets[number] = size
            for name, place in fields_of(kernel).items():
                places.setdefault(name, []).append((size + place) // WORD)
            size += aligned(size_of(kernel.uniform.struct))
        words = np.zeros(size // WORD, np.uint32)
        raw = None
        if size:
            with error_scope(device, f"{size} bytes for the numbers of a plan"):
                raw = device.raw.create_buffer(size=size, usage=UNIFORM | COPY_TARGET)
        return cls(device, raw, words, offsets, {n: np.array(p) for n, p in places.items()})

    def write(self, numbers: Mapping[str, Any]) -> None:
        """Bring the buffer up to these numbers."""
        changed = self.fresh
        for name, places in self.places.items():
            word = np.asarray(numbers[name]).view(np.uint32)
            if self.words[places[0]] != word:
                self.words[places] = word
                changed = True
        if changed and self.raw is not None:
            with error_scope(self.device, "the numbers of a plan"):
                self.device.raw.queue.write_buffer(self.raw, 0, self.words)
        self.fresh = False

    def free(self) -> None:
        if self.raw is not None:
            with self.device.lock:
                self.raw.destroy()


def fields_of(kernel: Kernel) -> dict[str, int]:
    """The byte of each number in a kernel's struct; all else in it is zero."""
    if kernel.uniform is None:
        raise InternalError(f"{kernel.name} has no uniform")
    offsets = struct_layout(kernel.uniform.struct).offsets
    places = {m.name: offset for m, offset in zip(kernel.uniform.struct.members, offsets)}
    return {n: places[n] for n in kernel.uniform.params}
