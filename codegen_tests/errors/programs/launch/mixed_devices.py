"""Arrays of two devices."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def add(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], z: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] + z[i]


x = sd.array(np.ones(4, np.float32), device="interpreter")
add(x, sd.array(np.ones(4, np.float32), device="wgpu"))
