"""A structure parameter of another dtype."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Pair:
    a: f32
    b: f32


@sd.kernel
def first(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"], p: sd.Param[Pair]) -> None:
    with k.each(y.n) as i:
        y[i] = p.a


first(p=(1.0, 2.0), axes={"n": 4}, device="interpreter")
