"""A list item that is replaced in a loop."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        previous = [x[i]]
        for j in k.range(4):
            y[i] = previous[0]
            previous[0] = x[j]


bad.wgsl()
