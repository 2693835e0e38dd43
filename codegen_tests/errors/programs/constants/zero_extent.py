"""A domain with an extent of zero."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(workgroup_size=(8, 8))
def nothing(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n, 0) as (i, j):
        y[i] = j.f32


nothing.wgsl()
