"""A structure with a bool in shared memory."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.struct
class Mark:
    seen: sd.bool_
    count: u32


@sd.kernel(workgroup_size=8)
def marks(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
    table = k.shared(Mark, 8)
    with k.each_group(y.n) as i:
        y[i] = table[0].count


marks.wgsl()
