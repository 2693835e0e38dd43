"""A result that another plan's call has left."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops

kept = []


@sd.compile(device="interpreter")
def first(x):
    kept.append(x)
    return ops.exp(x)


@sd.compile(device="interpreter")
def second(x):
    return kept[0]


first(np.ones((2, 3), np.float32))
second(np.ones((2, 3), np.float32))
