"""A size that is a number of the plan."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def step(n):
    return ops.fill(n, 1.0)


step(3)
