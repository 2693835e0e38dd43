"""A parameter without a type."""

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x) -> None:
    x[0]


bad.wgsl()
