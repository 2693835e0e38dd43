"""A name rebound where there is no source to read."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

SOURCE = """
@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        total = x[i]
        for j in k.range(4):
            total = total + x[j]
        y[i] = total
"""

namespace = {"sd": sd, "f32": f32, "Annotated": Annotated}
exec(compile(SOURCE, "<generated>", "exec"), namespace)
namespace["bad"].wgsl()
