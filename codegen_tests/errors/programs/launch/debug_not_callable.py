"""debug= that cannot be called."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def scale(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], a: sd.Param[f32]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * a


scale(np.ones(4, np.float32), a=1.0, device="interpreter", debug=True)
