"""A gradient of what is no single number."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    y = ops.exp(x)
    return sd.grad(y, x)


step(np.ones((2, 3), np.float32))
