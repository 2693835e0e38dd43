"""A function called with too few arguments."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def mix(a: f32, b: f32) -> f32:
    return a + b


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = mix(1.0)


bad.wgsl()
