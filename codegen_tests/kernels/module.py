"""What a kernel says of its module: bindings, entry point, the uniform's place, directives."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(
    workgroup_size=32,
    entry_point="add_main",
    uniform=sd.Binding(1, 0),
    directives=["diagnostic(off, derivative_uniformity)"],
)
def placed(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n", sd.Binding(0, 3)],
    y: Annotated[sd.In[f32], "n"],
    out: Annotated[sd.Out[f32], "n", sd.Binding(2, 1)],
    bias: sd.Param[f32],
) -> None:
    with k.each(x.n) as i:
        out[i] = x[i] + y[i] + bias
