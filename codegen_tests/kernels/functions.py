"""Functions of the module: plain, with control flow, calling one another, with a barrier inside."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.function
def square(x: f32) -> f32:
    return x * x


@sd.function
def norm(x: f32, y: f32) -> f32:
    return sd.sqrt(square(x) + square(y))


@sd.function
def root(k: sd.Kernel, x: f32, turns: u32) -> f32:
    """Newton's steps, with a way out."""
    k.return_if(x <= 0, 0.0)
    guess = k.var(x)
    for _ in k.range(turns):
        guess.value = 0.5 * (guess.value + x / guess.value)
    return guess.value


@sd.function
def spread(v: sd.vec2f, by: sd.vec2f) -> sd.vec4f:
    return sd.vec4f(v - by, v + by)


@sd.function
def meet(k: sd.Kernel) -> None:
    k.barrier()


@sd.kernel
def calls(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], z: Annotated[sd.Out[sd.vec4f], "n"]
) -> None:
    with k.each(x.n) as i:
        y[i] = norm(x[i], f32(3)) + root(x[i], u32(8))
        z[i] = spread(sd.vec2f(x[i]), sd.vec2f(1, 2))


@sd.kernel(workgroup_size=8)
def reversal(k: sd.Kernel, x: Annotated[sd.In[f32], "rows, 8"], y: Annotated[sd.Out[f32], "rows, 8"]) -> None:
    tile = k.shared(f32, 8)
    with k.each_group(x.rows) as row:
        tile[k.local_index] = x[row, k.local_index]
        meet()
        y[row, k.local_index] = tile[7 - k.local_index]
