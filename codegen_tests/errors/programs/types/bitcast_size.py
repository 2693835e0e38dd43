"""A bitcast between sizes."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], v: Annotated[sd.In[sd.vec3f], "n"]
) -> None:
    with k.each(x.n) as i:
        y[i] = sd.bitcast(v[i], f32)


bad.wgsl()
