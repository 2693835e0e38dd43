"""A second k.else_, where the first ends in a k.if_ of its own."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] > 0):
            y[i] = 1
        with k.else_():
            with k.if_(x[i] < -1):
                y[i] = 2
        with k.else_():
            y[i] = 3


bad.wgsl()
