"""A name rebound by a walrus."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], t: Annotated[sd.In[f32], "rows, 4"]
) -> None:
    with k.each(x.n) as i:
        t = x[i] * 2
        with k.if_(x[i] > 0):
            y[i] = (t := x[i] * 3)
        y[i] = t


bad.wgsl()
