"""A function called with a buffer."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def first(a: f32) -> f32:
    return a


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = first(y)


bad.wgsl()
