"""A loop whose index steps below the least i32."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import i32


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[i32], "n"]) -> None:
    with k.each(y.n) as i:
        for number in k.range(i32(0), -(2**31), -3):
            y[i] = number


bad.wgsl()
