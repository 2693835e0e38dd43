"""An axis assigned."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], z: Annotated[sd.InOut[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        z.n = 4
        y[i] = 1


bad.wgsl()
