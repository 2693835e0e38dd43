"""An axis that is a number, not text."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel
def bad(k: sd.Kernel, count: Annotated[sd.Out[sd.Atomic[u32]], 1]) -> None:
    with k.each(64):
        count[0].add(1)


bad.wgsl()
