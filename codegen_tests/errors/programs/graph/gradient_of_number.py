"""A gradient for a number of the plan."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x, scale):
    loss = ops.sum_squares(ops.sum_squares(x * scale))
    return sd.grad(loss, scale)


step(np.ones((2, 3), np.float32), 2.0)
