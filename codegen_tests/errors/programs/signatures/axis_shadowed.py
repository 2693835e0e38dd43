"""An axis with the name of a method."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "at"]) -> None:
    k.barrier()


bad.wgsl()
