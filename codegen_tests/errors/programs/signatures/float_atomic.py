"""A float atomic."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.InOut[sd.Atomic[f32]], "n"]) -> None:
    k.barrier()


bad.wgsl()
