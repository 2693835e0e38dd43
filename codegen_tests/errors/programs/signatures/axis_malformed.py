"""An axis that is neither a name nor a number."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "rows, 2*cols"]) -> None:
    k.barrier()


bad.wgsl()
