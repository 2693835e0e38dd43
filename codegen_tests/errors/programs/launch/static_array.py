"""A numpy array as a static argument."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def unroll(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], width: sd.Static[tuple[int, ...]]
) -> None:
    with k.each(x.n) as i:
        y[i] = sum((x[i + j] for j in width), f32(0))


unroll(np.ones(4, np.float32), np.ones(3), device="interpreter")
