"""A loop whose index steps over the end of u32."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(y.n) as i:
        for number in k.range(0, 2**32 - 1, 16):
            y[i] = number


bad.wgsl()
