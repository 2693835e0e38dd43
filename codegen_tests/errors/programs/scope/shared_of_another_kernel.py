"""Shared memory of one kernel in another."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

held = []


@sd.kernel
def first(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    held.append(k.shared(f32, 4))
    with k.each(y.n) as i:
        y[i] = held[0][i % 4]


@sd.kernel
def second(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each_group(y.n) as i:
        y[i] = k.workgroup_uniform_load(held[0].at(0))


first.wgsl()
second.wgsl()
