"""A float for an integer parameter."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel
def shift(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    y: Annotated[sd.Out[f32], "n"],
    by: sd.Param[u32],
    on: sd.Param[sd.bool_],
) -> None:
    with k.each(x.n) as i:
        y[i] = sd.select(x[i], x[i + by], on)


shift(np.ones(4, np.float32), by=1.0, on=True, device="interpreter")
