"""Shared memory of the kernel in a function."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

held = []


@sd.function
def first(a: f32) -> f32:
    return a + held[0][0]


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    held.append(k.shared(f32, 4))
    with k.each(y.n) as i:
        y[i] = first(1.0)


bad.wgsl()
