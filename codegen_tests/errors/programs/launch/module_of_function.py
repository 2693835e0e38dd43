"""A module of a plain function."""

import shaderdsl as sd


def plain(k: sd.Kernel) -> None:
    k.barrier()


sd.module_wgsl(plain)
