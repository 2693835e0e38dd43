"""f16: devices must offer shader-f16."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f16, f32


@sd.kernel
def scale(k: sd.Kernel, x: Annotated[sd.In[f16], "n"], a: sd.Param[f16], y: Annotated[sd.Out[f16], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * a + 0.125


@sd.kernel
def vectors(
    k: sd.Kernel,
    x: Annotated[sd.In[sd.vec4h], "n"],
    y: Annotated[sd.Out[sd.vec4h], "n"],
    total: Annotated[sd.Out[f32], "n"],
) -> None:
    with k.each(x.n) as i:
        v = x[i]
        m = sd.mat2x2h(v.xy, v.zw)
        y[i] = sd.vec4h(m * sd.vec2h(1, 0.5), sd.max(v.zw, 0))
        total[i] = sd.dot(v, v).f32 + sd.largest(f16).f32
