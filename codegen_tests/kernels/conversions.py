"""Conversions by value and by bits."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel
def values(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    signed: Annotated[sd.Out[i32], "n, 3"],
    unsigned: Annotated[sd.Out[u32], "n, 3"],
    floats: Annotated[sd.Out[f32], "n, 3"],
) -> None:
    with k.each(x.n) as i:
        a = x[i]
        b = a.i32
        signed[i, 0] = b
        signed[i, 1] = a.u32.i32
        signed[i, 2] = sd.bool_(b).i32
        unsigned[i, 0] = a.u32
        unsigned[i, 1] = b.u32
        unsigned[i, 2] = u32(a > 0)
        floats[i, 0] = b.f32
        floats[i, 1] = f32(b.u32)
        floats[i, 2] = sd.bool_(a).f32


@sd.kernel
def bits(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    words: Annotated[sd.Out[u32], "n"],
    back: Annotated[sd.Out[f32], "n"],
    vector: Annotated[sd.Out[sd.vec2i], "n"],
) -> None:
    with k.each(x.n) as i:
        word = sd.bitcast(x[i], u32)
        words[i] = word
        back[i] = sd.bitcast(word ^ 0x80000000, f32)
        vector[i] = sd.bitcast(sd.vec2f(x[i], 1), sd.vec2i)


@sd.kernel
def vectors(
    k: sd.Kernel,
    x: Annotated[sd.In[sd.vec3f], "n"],
    y: Annotated[sd.Out[sd.vec3i], "n"],
    z: Annotated[sd.Out[sd.vec3u], "n"],
) -> None:
    with k.each(x.n) as i:
        y[i] = sd.vec3i(x[i])
        z[i] = sd.vec3u(y[i] > sd.vec3i(0))
