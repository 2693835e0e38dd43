"""@sd.kernel on an async function."""

import shaderdsl as sd


@sd.kernel
async def bad(k: sd.Kernel) -> None:
    k.barrier()
