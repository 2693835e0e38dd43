"""A global name rebound in a block."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

best = 0


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    global best
    with k.each(x.n) as i:
        for j in k.range(4):
            best = best + 1
        y[i] = x[i] * best


bad.wgsl()
