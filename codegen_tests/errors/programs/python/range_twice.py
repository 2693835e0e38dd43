"""One k.range for two loops."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        turns = k.range(4)
        for j in turns:
            y[i] = x[j]
        for j in turns:
            y[i] = x[j] * 2


bad.wgsl()
