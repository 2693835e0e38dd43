"""A plain counter in a loop of the kernel."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        count = 0
        for j in k.range(4):
            count += 1
        y[i] = x[i] * count


bad.wgsl()
