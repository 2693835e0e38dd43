"""Something that is no directive."""

import shaderdsl as sd


@sd.kernel(directives=["import foo;"])
def bad(k: sd.Kernel) -> None:
    k.barrier()
