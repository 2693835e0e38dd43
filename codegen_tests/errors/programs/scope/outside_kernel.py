"""A value used outside any kernel."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

held = []


@sd.kernel
def first(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        held.append(x[i])
        y[i] = held[0]


first.wgsl()
held[0] + 1
