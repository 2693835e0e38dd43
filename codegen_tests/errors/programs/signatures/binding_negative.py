"""A negative binding."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n", sd.Binding(0, -1)]) -> None:
    k.barrier()


bad.wgsl()
