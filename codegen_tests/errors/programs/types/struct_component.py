"""A component of a structure's member that is not there."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Pair:
    a: f32
    b: f32


@sd.kernel
def bad(k: sd.Kernel, p: Annotated[sd.InOut[Pair], "n"]) -> None:
    with k.each(p.n) as i:
        p.at(i).c.value = 1


bad.wgsl()
