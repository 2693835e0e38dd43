"""A resident array of halves passed to a plan."""

import numpy as np

import shaderdsl as sd


@sd.compile(device="interpreter")
def step(x):
    return x * 2.0


step(sd.array(np.ones(3, np.float16), device="interpreter"))
