"""A function with star arguments."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def total(*a: f32) -> f32:
    return a[0]


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = total(1.0)


bad.wgsl()
