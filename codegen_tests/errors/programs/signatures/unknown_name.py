"""An annotation that is not defined."""

from __future__ import annotations

from typing import Annotated

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[Particle], "n"]) -> None:
    x[0]


bad.wgsl()
