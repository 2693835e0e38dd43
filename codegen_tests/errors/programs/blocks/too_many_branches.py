"""A chain of branches longer than the compilers take."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] < 0):
            y[i] = 0
        for step in range(400):
            with k.elif_(x[i] < step + 1):
                y[i] = float(step)


bad.wgsl()
