"""A domain with more points than a u32 counts."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def huge(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(70000, 70000) as (i, j):
        y[0] = x[0]


huge(np.ones(1, np.float32), device="interpreter")
