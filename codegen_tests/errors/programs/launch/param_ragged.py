"""A vector parameter of ragged lists."""

from typing import Annotated

import numpy as np

import shaderdsl as sd


@sd.kernel
def offset(
    k: sd.Kernel, x: Annotated[sd.In[sd.vec3f], "n"], y: Annotated[sd.Out[sd.vec3f], "n"], by: sd.Param[sd.vec3f]
) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] + by


offset(np.ones((4, 3), np.float32), by=[[1.0], [2.0, 3.0]], device="interpreter")
