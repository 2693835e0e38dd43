"""Atomics in private memory."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    tile = k.private(sd.Atomic[u32], 4)
    with k.each(x.n) as i:
        tile[0].add(1)
        y[i] = 1


bad.wgsl()
