"""A name rebound in a traced block of a helper."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


def largest(k: sd.Kernel, x: sd.In[f32]) -> f32:
    best = x[0]
    for j in k.range(1, x.n):
        best = sd.max(best, x[j])
    return best


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = largest(k, x)


bad.wgsl()
