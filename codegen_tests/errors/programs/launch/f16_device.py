"""f16 on a device that has none."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f16


@sd.kernel
def half(k: sd.Kernel, x: Annotated[sd.In[f16], "n"], y: Annotated[sd.Out[f16], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] / 2


half(np.ones(4, np.float16), device="dawn")
