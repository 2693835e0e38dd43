"""k.print in a function."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def half(k: sd.Kernel, a: f32) -> f32:
    k.print("{}", a)
    return a / 2


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = half(1.0)


bad.wgsl()
