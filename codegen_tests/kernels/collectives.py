"""Every collective of a workgroup, in its shared-memory form."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel(workgroup_size=32)
def totals(k: sd.Kernel, x: Annotated[sd.In[i32], "rows, 32"], out: Annotated[sd.Out[i32], "rows, 32, 5"]) -> None:
    with k.each_group(x.rows) as row:
        lane = k.local_index
        value = x[row, lane]
        out[row, lane, 0] = k.group_sum(value)
        out[row, lane, 1] = k.group_max(value)
        out[row, lane, 2] = k.group_min(value)
        out[row, lane, 3] = k.group_inclusive_scan(value)
        out[row, lane, 4] = k.group_exclusive_scan(value)


@sd.kernel(workgroup_size=20)
def votes(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "rows, 20"],
    flags: Annotated[sd.Out[u32], "rows, 20"],
    chosen: Annotated[sd.Out[f32], "rows, 20"],
) -> None:
    """A workgroup that is no power of two; the same collective twice is one helper."""
    with k.each_group(x.rows) as row:
        value = x[row, k.local_index]
        some = k.group_any(value > 2)
        every = k.group_all(value >= 0)
        none = k.group_all(value < 100)
        flags[row, k.local_index] = some.u32 + every.u32 * 2 + none.u32 * 4
        chosen[row, k.local_index] = k.group_broadcast(value, row % 20) + k.group_sum(value)
