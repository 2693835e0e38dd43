"""Shapes that do not fit, at the call of the op."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x, w):
    h = ops.exp(x)
    return ops.matmul(h, w)


step(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
