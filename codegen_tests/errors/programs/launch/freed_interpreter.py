"""An array of the interpreter that was given back."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def scale(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], a: sd.Param[f32]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * a


x = sd.array(np.ones(4, np.float32), device="interpreter")
x.free()
scale(x, a=1.0)
