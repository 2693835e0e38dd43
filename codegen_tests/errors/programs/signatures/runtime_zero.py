"""A parameter called as the uniform's own field."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"], runtime_zero: sd.Param[f32]) -> None:
    with k.each(y.n) as i:
        y[i] = runtime_zero + sd.inf(f32)


bad.wgsl()
