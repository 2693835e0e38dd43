"""The greatest of nothing."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    return sd.op("greatest", "y[i] = max(j) x[i, j]")(x)


step(np.ones((2, 0), np.float32))
