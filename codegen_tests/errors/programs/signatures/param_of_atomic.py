"""A parameter that cannot be a uniform."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, c: sd.Param[Annotated[sd.Array[f32], 3]]) -> None:
    k.barrier()


bad.wgsl()
