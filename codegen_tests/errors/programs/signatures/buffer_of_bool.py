"""A buffer of bools."""

from typing import Annotated

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[sd.bool_], "n"]) -> None:
    k.barrier()


bad.wgsl()
