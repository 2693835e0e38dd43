"""A kernel that returns a value."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"]) -> f32:
    return x[0]


bad.wgsl()
