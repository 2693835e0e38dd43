"""An item of a list in a list that a traced branch replaces."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        weights = [[1.0, 2.0], [3.0, 4.0]]
        with k.if_(x[i] > 0):
            weights[0][1] = 5.0
        y[i] = x[i] * weights[0][1]


bad.wgsl()
