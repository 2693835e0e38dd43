"""An entry point that is no identifier."""

import shaderdsl as sd


@sd.kernel(entry_point="my kernel")
def bad(k: sd.Kernel) -> None:
    k.barrier()


bad.wgsl()
