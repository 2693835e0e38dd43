"""@sd.kernel on a generator."""

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel) -> None:
    yield k
