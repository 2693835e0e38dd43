"""A barrier in a function that k.each calls."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def meet(k: sd.Kernel, value: f32) -> f32:
    k.barrier()
    return value


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = meet(x[i])


bad.wgsl()
