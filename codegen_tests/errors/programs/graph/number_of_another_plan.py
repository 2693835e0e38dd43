"""A number that another plan's call has left."""

import numpy as np

import shaderdsl as sd

kept = []


@sd.compile(device="interpreter")
def first(x, by):
    kept.append(by)
    return x * by


@sd.compile(device="interpreter")
def second(x):
    return x * kept[0]


first(np.ones((2, 3), np.float32), 2.0)
second(np.ones((2, 3), np.float32))
