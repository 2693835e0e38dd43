"""A function called with another type."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def twice(a: f32) -> f32:
    return a + a


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = twice(i)


bad.wgsl()
