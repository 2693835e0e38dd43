"""A tensor where an op takes a number."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    return ops.scale(x, factor=x)


step(np.ones((2, 3), np.float32))
