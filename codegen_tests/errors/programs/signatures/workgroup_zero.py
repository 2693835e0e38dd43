"""A workgroup of no invocations."""

import shaderdsl as sd


@sd.kernel(workgroup_size=0)
def bad(k: sd.Kernel) -> None:
    k.barrier()
