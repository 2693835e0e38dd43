"""A gradient for whole numbers."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(w, ids):
    x = ops.embedding(w, ids)
    return sd.grad(ops.sum_squares(ops.sum_squares(x)), ids)


step(np.ones((2, 3), np.float32), np.zeros(2, np.int32))
