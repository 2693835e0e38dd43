"""A static argument that is not hashable."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def unroll(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], width: sd.Static[tuple[int, ...]]
) -> None:
    with k.each(x.n) as i:
        y[i] = sum((x[i + j] for j in width), f32(0))


unroll.wgsl(width=[4])
