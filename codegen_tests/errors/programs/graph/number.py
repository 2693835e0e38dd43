"""A tensor as a number of Python."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    return x * float(ops.sum(ops.sum(x)))


step(np.ones((2, 3), np.float32))
