"""A function that gives another type."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.function
def count(a: f32) -> u32:
    return a


@sd.kernel
def bad(k: sd.Kernel, o: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(o.n) as i:
        o[i] = count(1.0)


bad.wgsl()
