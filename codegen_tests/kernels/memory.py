"""Address spaces: shared, private and function memory; uniform loads and both barriers; snapshots."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.kernel(workgroup_size=(8, 8))
def transposed(k: sd.Kernel, x: Annotated[sd.In[f32], "rows, cols"], y: Annotated[sd.Out[f32], "cols, rows"]) -> None:
    """A padded tile, so that columns fall on different banks."""
    tile = k.shared(f32, 8, 9)
    with k.each_group((x.rows + 7) // 8, (x.cols + 7) // 8) as (r, c):
        lane = k.local_id
        with k.if_((r * 8 + lane.y < x.rows) & (c * 8 + lane.x < x.cols)):
            tile[lane.y, lane.x] = x[r * 8 + lane.y, c * 8 + lane.x]
        k.barrier()
        with k.if_((c * 8 + lane.y < x.cols) & (r * 8 + lane.x < x.rows)):
            y[c * 8 + lane.y, r * 8 + lane.x] = tile[lane.x, lane.y]


@sd.kernel
def sorted_window(k: sd.Kernel, x: Annotated[sd.In[f32], "n, 4"], y: Annotated[sd.Out[f32], "n, 4"]) -> None:
    """An insertion sort in an array of the invocation's own."""
    with k.each(x.n) as i:
        window = k.array(f32, 4)
        for j in k.range(4):
            value = x[i, j]
            place = k.var(j)
            with k.loop():
                k.break_if(place.value == 0)
                before = window[place.value - 1]
                k.break_if(before <= value)
                window[place.value] = before
                place -= 1
            window[place.value] = value
        for j in k.range(4):
            y[i, j] = window[j]


@sd.kernel(workgroup_size=16)
def agreed(k: sd.Kernel, x: Annotated[sd.In[u32], "rows, 16"], y: Annotated[sd.Out[u32], "rows, 16"]) -> None:
    """The loop's bound comes out of shared memory, the same for the whole workgroup."""
    bound = k.shared(u32, 1)
    counts = k.shared(sd.Atomic[u32], 1)
    seen = k.private(u32, 2)
    with k.each_group(x.rows) as row:
        lane = k.local_index
        with k.if_(lane == 0):
            bound[0] = x[row, 0] & 7
            counts[0].store(0)
        k.barrier()
        counts[0].add(1)
        turns = k.workgroup_uniform_load(bound.at(0))
        arrived = k.workgroup_uniform_load(counts.at(0))
        for turn in k.range(turns):
            seen[turn & 1] = seen[turn & 1] + turn
            k.barrier()
        y[row, lane] = seen[0] * 100 + seen[1] * 10 + arrived


@sd.kernel(workgroup_size=32)
def neighbours(k: sd.Kernel, x: Annotated[sd.InOut[u32], "rows, 32"]) -> None:
    """Storage written, met at a barrier, and read by the neighbour."""
    with k.each_group(x.rows) as row:
        lane = k.local_index
        x[row, lane] = x[row, lane] * 2
        k.storage_barrier()
        next_one = x[row, (lane + 1) % 32]
        k.storage_barrier()
        x[row, lane] = next_one + lane


@sd.kernel
def swapped(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n, 2"], log: Annotated[sd.Out[f32], "n"]) -> None:
    """Reads are snapshots: what `a` and `before` hold is what was there when they were read."""
    with k.each(x.n) as i:
        a = x[i, 0]
        x[i, 0] = x[i, 1]
        x[i, 1] = a
        total = k.var(a)
        before = total.value
        total += 1
        log[i] = before * 1000 + total.value
