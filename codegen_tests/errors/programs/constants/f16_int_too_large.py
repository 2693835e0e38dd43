"""An int that f16 cannot hold."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f16, f32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], h: Annotated[sd.In[f16], "n"]
) -> None:
    with k.each(x.n) as i:
        y[i] = (h[i] + 70001).f32


bad.wgsl()
