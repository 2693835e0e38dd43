"""An array of another structure."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Pair:
    a: f32
    b: f32


@sd.kernel
def first(k: sd.Kernel, p: Annotated[sd.In[Pair], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = p[i].a


first(np.zeros(4, [("a", "f4"), ("c", "f4")]), device="interpreter")
