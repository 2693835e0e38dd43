"""Constant tables, indexed at run time."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel
def convolve(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    weights = k.table(f32, [0.0625, 0.25, 0.375, 0.25, 0.0625])
    with k.each(x.n) as i:
        total = k.var(f32(0))
        for tap in k.range(5):
            j = i + tap
            with k.if_((j >= 2) & (j < x.n + 2)):
                total += weights[tap] * x[j - 2]
        y[i] = total.value


@sd.kernel
def look_up(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.Out[i32], "n"]) -> None:
    deltas = k.table(i32, [-1, 0, 2147483647, -2147483648])
    skip = k.table(sd.bool_, [True, False])
    with k.each(x.n) as i:
        y[i] = sd.where(skip[x[i] & 1], 0, deltas[x[i] & 3])
