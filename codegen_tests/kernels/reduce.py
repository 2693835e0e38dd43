"""Reductions by hand: trees in shared memory."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel(workgroup_size=64)
def partial_sums(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], sums: Annotated[sd.Out[f32], "groups"]) -> None:
    """Each workgroup adds 64 elements as a tree of halving strides."""
    tile = k.shared(f32, 64)
    with k.each_group(sums.groups) as group:
        lane = k.local_index
        i = group * 64 + lane
        tile[lane] = 0
        with k.if_(i < x.n):
            tile[lane] = x[i]
        k.barrier()
        for stride in (32, 16, 8, 4, 2, 1):
            with k.if_(lane < stride):
                tile[lane] = tile[lane] + tile[lane + stride]
            k.barrier()
        with k.if_(lane == 0):
            sums[group] = tile[0]


@sd.kernel(workgroup_size=32)
def argmax(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "rows, cols"],
    best: Annotated[sd.Out[f32], "rows"],
    where: Annotated[sd.Out[u32], "rows"],
) -> None:
    """The largest of each row and the first column that holds it."""
    values = k.shared(f32, 32)
    columns = k.shared(u32, 32)
    with k.each_group(x.rows) as row:
        lane = k.local_index
        value = k.var(sd.lowest(f32))
        column = k.var(u32(0xFFFFFFFF))
        for c in k.range(lane, x.cols, 32):
            candidate = x[row, c]
            with k.if_(candidate > value.value):
                value.value = candidate
                column.value = c
        values[lane] = value.value
        columns[lane] = column.value
        stride = k.var(u32(16))
        with k.loop():
            k.barrier()
            k.break_if(stride.value == 0)
            with k.if_(lane < stride.value):
                other = lane + stride.value
                larger = values[other] > values[lane]
                tie = (values[other] == values[lane]) & (columns[other] < columns[lane])
                with k.if_(larger | tie):
                    values[lane] = values[other]
                    columns[lane] = columns[other]
            stride >>= 1
        with k.if_(lane == 0):
            best[row] = values[0]
            where[row] = columns[0]
