"""A plan asked before its first call."""

import shaderdsl as sd
from shaderdsl import ops


@sd.compile
def step(x):
    return ops.exp(x)


print(step.dispatches)
