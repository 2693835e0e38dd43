"""A parameter with the name of a launch option."""

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel
def bad(k: sd.Kernel, groups: sd.Param[u32]) -> None:
    k.barrier()


bad.wgsl()
