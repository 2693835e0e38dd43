"""A value of one kernel in another."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

held = []


@sd.kernel
def first(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        held.append(x[i] * 2)
        y[i] = held[0]


@sd.kernel
def second(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = held[0]


first.wgsl()
second.wgsl()
