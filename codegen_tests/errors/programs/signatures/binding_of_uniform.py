"""A buffer at the uniform's binding."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(uniform=sd.Binding(0, 1))
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n", sd.Binding(0, 1)], a: sd.Param[f32]) -> None:
    with k.each(x.n) as i:
        k.assert_(x[i] > a, "large")


bad.wgsl()
