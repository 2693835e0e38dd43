"""A parameter annotated f32."""

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, eps: f32) -> None:
    k.barrier()


bad.wgsl()
