"""A parameter of one kernel in another."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

held = []


@sd.kernel
def first(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"], a: sd.Param[f32]) -> None:
    held.append(a)
    with k.each(y.n) as i:
        y[i] = a


@sd.kernel
def second(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = held[0]


first.wgsl()
second.wgsl()
