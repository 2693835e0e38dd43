"""A function's parameter with a default."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def half(a: f32, by: f32 = 2.0) -> f32:
    return a / by


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = half(1.0)


bad.wgsl()
