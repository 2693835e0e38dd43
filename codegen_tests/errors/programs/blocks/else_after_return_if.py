"""A k.else_ after k.return_if, which is no block."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        k.return_if(x[i] > 0)
        with k.else_():
            y[i] = 3


bad.wgsl()
