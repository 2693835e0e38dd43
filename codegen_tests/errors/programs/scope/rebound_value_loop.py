"""A value rebound in k.loop."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        n = x[i] * 2
        with k.loop():
            n = n / 2
            k.break_if(n < 1)
        y[i] = n


bad.wgsl()
