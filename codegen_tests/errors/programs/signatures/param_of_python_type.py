"""sd.Param of a Python type."""

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, eps: sd.Param[float]) -> None:
    k.barrier()


bad.wgsl()
