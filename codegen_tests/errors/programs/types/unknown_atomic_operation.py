"""An atomic operation that is not there."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel
def bad(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    y: Annotated[sd.Out[f32], "n"],
    bins: Annotated[sd.InOut[sd.Atomic[u32]], "b"],
) -> None:
    with k.each(x.n) as i:
        bins[i].increment()
        y[i] = 1


bad.wgsl()
