"""A numpy bool as a condition."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(np.bool_(True)):
            y[i] = 1


bad.wgsl()
