"""A kernel with keyword-only parameters."""

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, *, eps: sd.Param[f32]) -> None:
    k.barrier()


bad.wgsl()
