"""A binding group that devices do not have."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def far(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n", sd.Binding(9, 0)]) -> None:
    with k.each(x.n) as i:
        x[i] = 1


far(np.ones(4, np.float32), device="wgpu")
