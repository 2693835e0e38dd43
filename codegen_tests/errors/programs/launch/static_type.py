"""A static argument of another type."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def power(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], times: sd.Static[int]) -> None:
    with k.each(x.n) as i:
        value = x[i]
        for _ in range(times):
            value = value * x[i]
        y[i] = value


power(np.zeros(4, np.float32), 2.0)
