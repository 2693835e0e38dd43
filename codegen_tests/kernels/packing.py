"""Packing: floats and bytes into words, and back."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel
def pack(
    k: sd.Kernel,
    x: Annotated[sd.In[sd.vec4f], "n"],
    y: Annotated[sd.In[sd.vec4i], "n"],
    out: Annotated[sd.Out[u32], "n, 9"],
) -> None:
    with k.each(x.n) as i:
        v = x[i]
        w = y[i]
        out[i, 0] = sd.pack2x16_float(v.xy)
        out[i, 1] = sd.pack2x16_snorm(v.xy)
        out[i, 2] = sd.pack2x16_unorm(v.zw)
        out[i, 3] = sd.pack4x8_snorm(v)
        out[i, 4] = sd.pack4x8_unorm(v)
        out[i, 5] = sd.pack4x_i8(w)
        out[i, 6] = sd.pack4x_u8(sd.vec4u(w))
        out[i, 7] = sd.pack4x_i8_clamp(w)
        out[i, 8] = sd.pack4x_u8_clamp(sd.vec4u(w))


@sd.kernel
def unpack(
    k: sd.Kernel,
    x: Annotated[sd.In[u32], "n"],
    floats: Annotated[sd.Out[sd.vec4f], "n, 4"],
    signed: Annotated[sd.Out[sd.vec4i], "n"],
    unsigned: Annotated[sd.Out[sd.vec4u], "n"],
) -> None:
    with k.each(x.n) as i:
        word = x[i]
        floats[i, 0] = sd.vec4f(sd.unpack2x16_snorm(word), sd.unpack2x16_unorm(word))
        floats[i, 1] = sd.unpack4x8_snorm(word)
        floats[i, 2] = sd.unpack4x8_unorm(word)
        floats[i, 3] = sd.vec4f(sd.unpack2x16_float(word & 0x3FFF3FFF), 0, 1)
        signed[i] = sd.unpack4x_i8(word)
        unsigned[i] = sd.unpack4x_u8(word)
