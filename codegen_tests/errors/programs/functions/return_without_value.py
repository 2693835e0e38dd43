"""k.return_if without the function's value."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def clip(k: sd.Kernel, a: f32) -> f32:
    k.return_if(a < 0)
    return a


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = clip(1.0)


bad.wgsl()
