"""A comparison of a tensor."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    return ops.mul(x, x > 0)


step(np.ones((2, 3), np.float32))
