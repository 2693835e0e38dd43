"""return in a traced block of a helper."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


def sign(k: sd.Kernel, value: f32) -> f32:
    with k.if_(value < 0):
        return f32(-1)
    return f32(1)


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = sign(k, x[i])


bad.wgsl()
