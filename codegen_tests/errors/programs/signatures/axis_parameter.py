"""An axis with the name of a parameter."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], n: sd.Param[u32]) -> None:
    k.barrier()


bad.wgsl()
