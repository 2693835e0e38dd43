"""k.print and k.assert_: absent from the WGSL unless asked for."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(workgroup_size=4)
def watched(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        k.assert_(x[i] >= 0, "x is not negative")  # noqa: PT009
        y[i] = sd.sqrt(x[i])
        k.print("i={} y={:.3f}", i, y[i])
