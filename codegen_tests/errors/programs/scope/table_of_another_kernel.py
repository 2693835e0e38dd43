"""A table of one kernel in another."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

held = []


@sd.kernel
def first(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    held.append(k.table(f32, [1, 2]))
    with k.each(y.n) as i:
        y[i] = held[0][i % 2]


@sd.kernel
def second(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = held[0][i % 2]


first.wgsl()
second.wgsl()
