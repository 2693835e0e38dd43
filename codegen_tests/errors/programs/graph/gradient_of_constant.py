"""A gradient for what is no tensor."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    loss = ops.sum_squares(ops.sum_squares(x))
    return sd.grad(loss, {"x": x, "w": 3})


step(np.ones((2, 3), np.float32))
