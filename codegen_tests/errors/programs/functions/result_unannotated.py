"""A function whose result has no type."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def half(a: f32):
    return a / 2


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = half(1.0)


bad.wgsl()
