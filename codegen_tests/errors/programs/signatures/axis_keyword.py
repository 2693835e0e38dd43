"""An axis named as a word of Python."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "class"]) -> None:
    k.barrier()


bad.wgsl()
