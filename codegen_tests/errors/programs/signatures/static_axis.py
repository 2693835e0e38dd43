"""A static axis that is no positive int."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n, width"], width: sd.Static[int]) -> None:
    k.barrier()


bad.wgsl(width=0)
