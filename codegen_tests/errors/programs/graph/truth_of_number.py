"""A branch on a number of the plan."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x, scale):
    if scale:
        return x * scale
    return x


step(np.ones((2, 3), np.float32), 2.0)
