"""A name of the function's own is not the module's of the same spelling, and may be bound in a block."""

from __future__ import annotations

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32

scale = 4
label = "module"


@sd.kernel
def hiding(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i]
        with k.if_(x[i] > 1):
            scale = x[i] * 2
            label = scale + 1
            y[i] = label


def test_a_local_name_hides_the_module_s() -> None:
    assert (scale, label) == (4, "module")
    assert hiding(np.array([1, 2], np.float32), device="interpreter").tolist() == [1, 5]
