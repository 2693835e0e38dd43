"""A member that the structure does not have."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Pair:
    a: f32
    b: f32


@sd.kernel
def bad(k: sd.Kernel, p: Annotated[sd.In[Pair], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(p.n) as i:
        y[i] = p[i].c


bad.wgsl()
