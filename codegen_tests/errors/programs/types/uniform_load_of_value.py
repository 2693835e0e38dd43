"""workgroup_uniform_load of a value."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    tile = k.shared(f32, 64)
    with k.each_group(x.n) as i:
        y[i] = k.workgroup_uniform_load(tile[0])


bad.wgsl()
