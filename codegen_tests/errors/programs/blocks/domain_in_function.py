"""A domain in a function."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.function
def inner(k: sd.Kernel, n: u32) -> u32:
    count = k.var(n)
    with k.each(n) as i:
        count.value = i
    return count.value


@sd.kernel
def bad(k: sd.Kernel, o: Annotated[sd.Out[u32], "n"]) -> None:
    o[0] = inner(o.n)


bad.wgsl()
