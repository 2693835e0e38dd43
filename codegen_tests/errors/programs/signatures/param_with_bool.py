"""A parameter's structure with a bool."""

import shaderdsl as sd


@sd.struct
class Flags:
    on: sd.bool_


@sd.kernel
def bad(k: sd.Kernel, flags: sd.Param[Flags]) -> None:
    k.barrier()


bad.wgsl()
