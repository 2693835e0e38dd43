"""A parameter annotated bool."""

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, flag: bool) -> None:
    k.barrier()


bad.wgsl()
