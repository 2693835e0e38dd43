"""A lane beyond the workgroup."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each_group(x.n) as i:
        y[i] = k.group_broadcast(x[i], 64)


bad.wgsl()
