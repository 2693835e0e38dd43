"""An axis that a static parameter sizes is still read by its name, as a number of the text."""

from __future__ import annotations

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel(workgroup_size=(8, 8))
def sized(
    k: sd.Kernel,
    x: Annotated[sd.In[u32], "rows, width"],
    y: Annotated[sd.Out[u32], "rows, width"],
    width: sd.Static[int],
) -> None:
    with k.each(x.rows, y.width) as (i, j):
        y[i, j] = x[i, j] + y.width + width


def test_a_static_axis_is_a_number() -> None:
    assert "x[i * 4u + j] + 4u + 4u" in sized.wgsl(width=4)
    x = np.arange(12, dtype=np.uint32).reshape(3, 4)
    np.testing.assert_array_equal(sized(x, 4, device="interpreter"), x + 8)
