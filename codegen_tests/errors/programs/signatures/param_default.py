"""A parameter with a default."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"], a: sd.Param[f32] = 1.0) -> None:
    with k.each(y.n) as i:
        y[i] = a


bad.wgsl()
