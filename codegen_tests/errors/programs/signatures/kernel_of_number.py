"""@sd.kernel with a bare number."""

import shaderdsl as sd


@sd.kernel(256)
def bad(k: sd.Kernel) -> None:
    k.barrier()
