"""A plain number set in a branch, used after it."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] > 0):
            scale = 2.0
        y[i] = x[i] * scale


bad.wgsl()
