"""An infinity of an integer type."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32


@sd.kernel
def bad(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], o: Annotated[sd.Out[i32], "n"]
) -> None:
    with k.each(x.n) as i:
        o[i] = sd.inf(i32)


bad.wgsl()
