"""A masked array."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def double(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 2


double(np.ma.masked_greater(np.arange(4, dtype=np.float32), 2), device="interpreter")
