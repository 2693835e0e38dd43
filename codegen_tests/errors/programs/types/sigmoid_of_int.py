"""sigmoid of an integer."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32


@sd.kernel
def bad(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    y: Annotated[sd.Out[f32], "n"],
    o: Annotated[sd.Out[i32], "n"],
    m: sd.Param[i32],
) -> None:
    with k.each(x.n) as i:
        o[i] = sd.sigmoid(m)


bad.wgsl()
