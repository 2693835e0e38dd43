"""A parameter annotated float."""

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, eps: float) -> None:
    k.barrier()


bad.wgsl()
