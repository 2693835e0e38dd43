"""A name that holds None before the block."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        best = None
        for j in k.range(4):
            if best is None:
                best = x[j]
            y[i] = best


bad.wgsl()
