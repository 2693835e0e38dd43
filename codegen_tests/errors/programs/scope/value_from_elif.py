"""A value computed between two branches, used after them."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] > 1):
            y[i] = 1
        half = x[i] / 2
        with k.elif_(half > 0):
            y[i] = 2
        y[i] = half


bad.wgsl()
