"""A workgroup of three axes on a domain of two."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(workgroup_size=(4, 4, 4))
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "rows, cols"]) -> None:
    with k.each(y.rows, y.cols) as (i, j):
        y[i, j] = 1


bad.wgsl()
