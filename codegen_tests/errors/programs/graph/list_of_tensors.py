"""A list of tensors where an op takes one."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    return ops.exp([x, x])


step(np.ones((2, 3), np.float32))
