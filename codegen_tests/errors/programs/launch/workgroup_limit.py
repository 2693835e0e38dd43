"""A workgroup larger than devices grant."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(workgroup_size=2048)
def wide(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] / 2


wide(np.ones(4, np.float32), device="wgpu")
