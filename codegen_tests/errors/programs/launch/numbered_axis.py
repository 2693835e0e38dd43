"""Another size of a numbered axis."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def rows(k: sd.Kernel, x: Annotated[sd.In[f32], "n, 4"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i, 0]


rows(np.ones((4, 3), np.float32), device="interpreter")
