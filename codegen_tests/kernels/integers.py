"""Integers: bit builtins, shifts, divisions with their rounding in the name."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import i32, u32


@sd.kernel
def bit_counts(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], out: Annotated[sd.Out[u32], "n, 8"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        out[i, 0] = sd.count_leading_zeros(a)
        out[i, 1] = sd.count_one_bits(a)
        out[i, 2] = sd.count_trailing_zeros(a)
        out[i, 3] = sd.first_leading_bit(a)
        out[i, 4] = sd.first_trailing_bit(a)
        out[i, 5] = sd.reverse_bits(a)
        out[i, 6] = sd.extract_bits(a, 4, 9)
        out[i, 7] = sd.insert_bits(a, 5, i & 15, 3)


@sd.kernel
def shifts(
    k: sd.Kernel, x: Annotated[sd.In[i32], "n"], by: Annotated[sd.In[u32], "n"], out: Annotated[sd.Out[i32], "n, 4"]
) -> None:
    with k.each(x.n) as i:
        a = x[i]
        out[i, 0] = a << by[i]
        out[i, 1] = a >> by[i]
        out[i, 2] = (a & 0xFF) | (~a & 0x7F00)
        out[i, 3] = (a ^ -1) + sd.first_leading_bit(a)


@sd.kernel
def divisions(
    k: sd.Kernel, x: Annotated[sd.In[i32], "n"], y: Annotated[sd.In[i32], "n"], out: Annotated[sd.Out[i32], "n, 4"]
) -> None:
    with k.each(x.n) as i:
        out[i, 0] = sd.div_floor(x[i], y[i])
        out[i, 1] = sd.div_trunc(x[i], y[i])
        out[i, 2] = sd.mod_floor(x[i], y[i])
        out[i, 3] = sd.mod_trunc(x[i], y[i])


@sd.kernel
def unsigned(
    k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.In[u32], "n"], out: Annotated[sd.Out[u32], "n, 4"]
) -> None:
    with k.each(x.n) as i:
        out[i, 0] = x[i] // (y[i] | 1)
        out[i, 1] = x[i] % (y[i] | 1)
        out[i, 2] = sd.max(x[i], y[i]) - sd.min(x[i], y[i])
        out[i, 3] = x[i] * 2654435761 + 0xFFFFFFFF


@sd.kernel
def bytes_(
    k: sd.Kernel,
    a: Annotated[sd.In[u32], "n"],
    b: Annotated[sd.In[u32], "n"],
    signed: Annotated[sd.Out[i32], "n"],
    unsigned: Annotated[sd.Out[u32], "n"],
) -> None:
    with k.each(a.n) as i:
        signed[i] = sd.dot4_i8_packed(a[i], b[i])
        unsigned[i] = sd.dot4_u8_packed(a[i], b[i])
