"""A buffer of a Python type."""

from typing import Annotated

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[float], "n"]) -> None:
    k.barrier()


bad.wgsl()
