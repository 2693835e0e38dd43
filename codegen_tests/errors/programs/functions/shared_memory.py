"""Shared memory declared in a function."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def stage(k: sd.Kernel, a: f32) -> f32:
    tile = k.shared(f32, 4)
    return tile[0] + a


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = stage(1.0)


bad.wgsl()
