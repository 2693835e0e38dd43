"""A function that calls itself."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.function
def factorial(n: u32) -> u32:
    return n * factorial(n - 1)


@sd.kernel
def bad(k: sd.Kernel, o: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(o.n) as i:
        o[i] = factorial(i)


bad.wgsl()
