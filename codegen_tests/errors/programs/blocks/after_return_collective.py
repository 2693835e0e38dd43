"""A barrier after an early exit."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each_group(x.n) as i:
        k.return_if(x[i] > 0)
        k.barrier()
        y[i] = 1


bad.wgsl()
