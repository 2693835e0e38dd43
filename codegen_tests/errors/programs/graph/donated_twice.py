"""One array as a donated argument and another one."""

import numpy as np

import shaderdsl as sd


@sd.compile(donate=("state",), device="interpreter")
def step(state, x):
    return state + x


both = sd.array(np.ones(3, np.float32), device="interpreter")
step(both, both)
