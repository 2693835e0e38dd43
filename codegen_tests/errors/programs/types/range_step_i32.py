"""A step whose sign is not known."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], m: sd.Param[i32]) -> None:
    with k.each(x.n) as i:
        for j in k.range(0, 10, m):
            y[i] = x[j]


bad.wgsl()
