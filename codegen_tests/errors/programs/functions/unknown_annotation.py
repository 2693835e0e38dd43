"""A function's annotation that is not defined."""

from __future__ import annotations

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def half(a: f64) -> f32:
    return a / 2


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = half(1.0)


bad.wgsl()
