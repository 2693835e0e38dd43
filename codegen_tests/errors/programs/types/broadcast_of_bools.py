"""A broadcast of a vector of bools."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], v: Annotated[sd.In[sd.vec3f], "n"]
) -> None:
    with k.each_group(x.n) as i:
        y[i] = sd.select(0.0, x[i], k.group_broadcast(v[i] > v[0], 0).x)


bad.wgsl()
