"""A block entered twice."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        positive = k.if_(x[i] > 0)
        with positive:
            y[i] = 1
        with positive:
            y[i] = 2


bad.wgsl()
