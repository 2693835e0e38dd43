"""axes= with a size beyond u32."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def fill(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = 1


fill(axes={"n": 2**40}, device="interpreter")
