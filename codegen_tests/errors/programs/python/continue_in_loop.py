"""continue in k.loop within a Python loop."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        for _ in range(2):
            with k.loop():
                k.break_if(x[i] > 0)
                continue
        y[i] = 1


bad.wgsl()
