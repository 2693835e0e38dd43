"""What tests of passes share: a kernel's body as text, and its results in the interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import shaderdsl as sd
from shaderdsl.execute import Request, run
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.text import kernel_text
from shaderdsl.runtime.device import Backend
from shaderdsl.wgsl.shader import Shader


def body_text(kernel: Kernel) -> str:
    """The lines under `body`."""
    return kernel_text(kernel).partition("\nbody\n")[2]


def functions_text(kernel: Kernel) -> str:
    """The lines of the kernel's functions."""
    head = kernel_text(kernel).partition("\nbody\n")[0]
    return head[head.index("\nfunction ") + 1 :] + "\n" if "\nfunction " in head else ""


def results(
    program: sd.KernelProgram,
    kernel: Kernel,
    given: Mapping[str, object],
    *,
    axes: Mapping[str, int] | None = None,
    groups: Sequence[int] | None = None,
) -> dict[str, np.ndarray]:
    """What the interpreter makes of `kernel`, a form of the program's own, by buffer."""

    def no_shader(backend: Backend) -> Shader:
        raise AssertionError(f"{backend} is not asked")

    found: Any = run(kernel, no_shader, given, program.signature, Request("interpreter", groups, axes or {}))
    if isinstance(found, dict):
        return found  # pyright: ignore[reportUnknownVariableType]
    written = [b.variable.name for b in kernel.buffers if b.role.value != "In"]
    return dict(zip(written, [found]))


def same_bits(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> bool:
    """Whether all buffers hold the same bits, NaNs too."""
    return list(one) == list(other) and all(one[name].tobytes() == other[name].tobytes() for name in one)
