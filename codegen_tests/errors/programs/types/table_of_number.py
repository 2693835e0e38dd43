"""A table of a single number."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    table = k.table(f32, 3)
    with k.each(x.n) as i:
        y[i] = table[0]


bad.wgsl()
