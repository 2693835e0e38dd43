"""A name that a pattern binds again in a traced branch."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        best = 1.0
        with k.if_(x[i] > 0):
            match [2.0, 3.0]:
                case [best, *_]:
                    pass
        y[i] = x[i] * best


bad.wgsl()
