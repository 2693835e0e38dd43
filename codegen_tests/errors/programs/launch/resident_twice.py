"""A resident array that is read and written."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def blend(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], z: Annotated[sd.InOut[f32], "n"]) -> None:
    with k.each(x.n) as i:
        z[i] = x[i] + z[i]


x = sd.array(np.ones(4, np.float32), device="interpreter")
blend(x, x)
