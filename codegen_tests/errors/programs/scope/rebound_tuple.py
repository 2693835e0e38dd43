"""Two names swapped in a loop."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        lo, hi = x[i], x[i] + 1
        for j in k.range(4):
            lo, hi = hi, lo
        y[i] = lo


bad.wgsl()
