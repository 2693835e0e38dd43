"""An attribute of a Python object that a traced branch replaces."""

from types import SimpleNamespace
from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        state = SimpleNamespace(best=1.0)
        with k.if_(x[i] > 0):
            state.best = 2.0
        y[i] = x[i] * state.best


bad.wgsl()
