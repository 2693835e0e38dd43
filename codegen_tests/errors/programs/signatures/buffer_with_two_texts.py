"""Axes in a text each."""

from typing import Annotated

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.InOut[sd.vec3f], "rows", "cols"]) -> None:
    with k.each(x.rows, x.cols) as (row, col):
        x[row, col] = x[row, col] * 2


bad.wgsl()
