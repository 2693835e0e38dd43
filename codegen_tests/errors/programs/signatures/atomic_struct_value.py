"""A structure with an atomic as a value."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.struct
class Cell:
    count: sd.Atomic[u32]
    mass: f32


@sd.kernel
def bad(k: sd.Kernel, p: Annotated[sd.InOut[Cell], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(p.n) as i:
        y[i] = p[i].mass


bad.wgsl()
