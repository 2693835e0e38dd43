"""Functions that call one another deeper than Python's stack could follow."""

from collections.abc import Callable
from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def same(x: f32) -> f32:
    return x


def around(inner: Callable[[f32], f32]) -> Callable[[f32], f32]:
    @sd.function
    def outer(x: f32) -> f32:
        return inner(x)

    return outer


deep: Callable[[f32], f32] = same
for _ in range(200):
    deep = around(deep)


@sd.kernel
def bad(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = deep(f32(1))


bad.wgsl()
