"""An invocation's index in a function."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.function
def own(k: sd.Kernel, a: u32) -> u32:
    return a + k.local_index


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = own(i)


bad.wgsl()
