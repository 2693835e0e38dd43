"""groups= as a word."""

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def free(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n"]) -> None:
    x[k.global_id.x] = 1


free(np.ones(64, np.float32), groups="all", device="interpreter")
