"""A while loop on a value."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], t: Annotated[sd.In[f32], "rows, 4"]
) -> None:
    with k.each(x.n) as i:
        t = x[i]
        while t > 1:
            t = t / 2
        y[i] = t


bad.wgsl()
