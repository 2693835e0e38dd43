"""A domain sized by a loaded value."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], u: Annotated[sd.In[u32], "n"]
) -> None:
    with k.each(u[0]) as i:
        y[i] = x[i]


bad.wgsl()
