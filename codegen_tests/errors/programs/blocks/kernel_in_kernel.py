"""A kernel called in a kernel."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def inner(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i]


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    inner(x)
    y[0] = 1


bad.wgsl()
