"""A kernel without k."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(x: Annotated[sd.In[f32], "n"]) -> None:
    x[0]


bad.wgsl()
