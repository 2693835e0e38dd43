"""A group collective in a function."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def total(k: sd.Kernel, a: f32) -> f32:
    return k.group_sum(a)


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each_group(y.n) as i:
        y[i] = total(f32(1))


bad.wgsl()
