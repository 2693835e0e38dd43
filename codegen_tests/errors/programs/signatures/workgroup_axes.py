"""A workgroup of four axes."""

import shaderdsl as sd


@sd.kernel(workgroup_size=(1, 2, 3, 4))
def bad(k: sd.Kernel) -> None:
    k.barrier()
