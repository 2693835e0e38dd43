"""An annotation with an unknown attribute of sd."""

from __future__ import annotations

from typing import Annotated

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x: Annotated[sd.In[sd.vec5f], "n"]) -> None:
    x[0]


bad.wgsl()
