"""A value rebound under k.elif_."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        best = x[i]
        with k.if_(best > 1):
            y[i] = 1
        with k.elif_(best > 0):
            best = best * 2
        y[i] = best


bad.wgsl()
