"""An assertion that does not hold."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def checked(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        k.assert_(x[i] > 1, "x is larger than 1")
        y[i] = x[i]


checked(np.arange(4, dtype=np.float32), device="interpreter", debug=print)
