"""A value of the kernel in a function."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

held = []


@sd.function
def scaled(a: f32) -> f32:
    return a * held[0]


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        held.append(x[i])
        y[i] = scaled(1.0)


bad.wgsl()
