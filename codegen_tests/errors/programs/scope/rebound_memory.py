"""A buffer chosen by a branch."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], z: Annotated[sd.InOut[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        source = x
        with k.if_(x[i] > 0):
            source = z
        y[i] = source[i]


bad.wgsl()
