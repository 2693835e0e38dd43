"""Atomics of an In buffer."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel
def bad(k: sd.Kernel, bins: Annotated[sd.In[sd.Atomic[u32]], "n"]) -> None:
    with k.each(bins.n) as i:
        bins[i].add(1)


bad.wgsl()
