"""A float of the plan where an op takes a whole number."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(x, by):
    shift = sd.op("shift", "y[t] = x[t - k]")
    return shift(x, k=by)


step(np.ones(3, np.float32), 1.5)
