"""61 blocks within one another."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


def nest(k: sd.Kernel, value: f32, depth: int) -> None:
    if depth:
        with k.if_(value > depth):
            nest(k, value, depth - 1)


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    y[0] = 1
    nest(k, x[0], 61)


bad.wgsl()
