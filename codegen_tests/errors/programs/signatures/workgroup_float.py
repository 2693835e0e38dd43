"""A workgroup size that is no int."""

import shaderdsl as sd


@sd.kernel(workgroup_size=2.5)
def bad(k: sd.Kernel) -> None:
    k.barrier()
