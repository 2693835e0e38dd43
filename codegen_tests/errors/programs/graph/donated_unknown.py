"""A donated parameter that the function does not have."""

import shaderdsl as sd


@sd.compile(donate=("weights",))
def step(params, x):
    return params * x
