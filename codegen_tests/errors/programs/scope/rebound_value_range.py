"""A sum written as a Python name in a loop."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        total = x[i] * 0
        for j in k.range(4):
            total = total + x[j]
        y[i] = total


bad.wgsl()
