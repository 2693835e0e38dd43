"""A function of numpy on a tensor."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x):
    return np.exp(x)


step(np.ones((2, 3), np.float32))
