"""A missing static argument."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def unroll(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], width: sd.Static[int]) -> None:
    with k.each(x.n) as i:
        y[i] = sum((x[i + j] for j in range(width)), f32(0))


unroll.wgsl()
