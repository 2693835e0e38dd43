"""A value rebound under k.if_."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], a: sd.Param[f32]) -> None:
    with k.each(x.n) as i:
        best = x[i]
        with k.if_(a > best):
            best = a + 0
        y[i] = best


bad.wgsl()
