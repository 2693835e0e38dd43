"""A tensor of floats where an op takes whole numbers."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(w, ids):
    return ops.embedding(w, ids)


step(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
