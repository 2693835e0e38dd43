"""Running sums over a workgroup: by the collective, and by hand."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel(workgroup_size=64)
def row_scan(k: sd.Kernel, x: Annotated[sd.In[f32], "rows, cols"], y: Annotated[sd.Out[f32], "rows, cols"]) -> None:
    """Rows longer than the workgroup carry the sum from one block to the next."""
    with k.each_group(x.rows) as row:
        carried = k.var(f32(0))
        for start in k.range(0, x.cols, 64):
            c = start + k.local_index
            value = k.var(f32(0))
            with k.if_(c < x.cols):
                value.value = x[row, c]
            running = k.group_inclusive_scan(value.value) + carried.value
            with k.if_(c < x.cols):
                y[row, c] = running
            carried.value = k.group_broadcast(running, 63)


@sd.kernel(workgroup_size=32)
def doubling(k: sd.Kernel, x: Annotated[sd.In[u32], "rows, 32"], y: Annotated[sd.Out[u32], "rows, 32"]) -> None:
    """Hillis and Steele: five steps of doubling distance between two barriers each."""
    line = k.shared(u32, 32)
    with k.each_group(x.rows) as row:
        lane = k.local_index
        line[lane] = x[row, lane]
        k.barrier()
        for distance in (1, 2, 4, 8, 16):
            added = k.var(u32(0))
            with k.if_(lane >= distance):
                added.value = line[lane - distance]
            k.barrier()
            line[lane] = line[lane] + added.value
            k.barrier()
        y[row, lane] = line[lane]
