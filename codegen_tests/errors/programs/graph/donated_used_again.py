"""A donated array used after the plan has updated it."""

import numpy as np

import shaderdsl as sd


@sd.compile(donate=("state",), device="interpreter")
def step(state):
    return state * 2.0


state = sd.array(np.ones(3, np.float32), device="interpreter")
new = step(state)
print(state.numpy())
