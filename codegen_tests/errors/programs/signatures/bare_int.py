"""A parameter annotated int."""

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, count: int) -> None:
    k.barrier()


bad.wgsl()
