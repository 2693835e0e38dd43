"""A buffer without an element type."""

from typing import Annotated

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In, "n"]) -> None:
    k.barrier()


bad.wgsl()
