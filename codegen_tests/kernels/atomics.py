"""Atomic operations in storage and in shared memory."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import i32, u32


@sd.kernel(workgroup_size=64)
def histogram(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], counts: Annotated[sd.Out[sd.Atomic[u32]], "16"]) -> None:
    """Each workgroup counts in shared memory first."""
    local = k.shared(sd.Atomic[u32], 16)
    with k.each_group((x.n + 63) // 64) as group:
        i = group * 64 + k.local_index
        with k.if_(k.local_index < 16):
            local[k.local_index].store(0)
        k.barrier()
        with k.if_(i < x.n):
            local[x[i] & 15].add(1)
        k.barrier()
        with k.if_(k.local_index < 16):
            counts[k.local_index].add(local[k.local_index].load())


@sd.kernel(workgroup_size=32)
def every_operation(
    k: sd.Kernel,
    x: Annotated[sd.In[i32], "n"],
    out: Annotated[sd.Out[sd.Atomic[i32]], "9"],
    bits: Annotated[sd.Out[sd.Atomic[u32]], "3"],
) -> None:
    with k.each(x.n) as i:
        value = x[i]
        out[0].add(value)
        out[1].sub(value)
        out[2].max(value)
        out[3].min(value)
        bits[0].or_(value.u32)
        bits[1].xor(value.u32)
        bits[2].and_(value.u32)
        with k.if_(i == 0):
            out[4].store(7)
            out[5].store(out[4].exchange(9))
            out[6].store(out[4].load())


@sd.kernel(workgroup_size=32)
def locked_maximum(k: sd.Kernel, x: Annotated[sd.In[i32], "n"], best: Annotated[sd.InOut[sd.Atomic[i32]], "1"]) -> None:
    """The loop that every read-modify-write without a builtin needs."""
    with k.each(x.n) as i, k.loop():
        old = best[0].load()
        k.break_if(old >= x[i])
        result = best[0].compare_exchange_weak(old, x[i])
        k.break_if(result.exchanged)
