"""A value looked up in a list."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        if x[i] in [1.0, 2.0]:
            y[i] = 1


bad.wgsl()
