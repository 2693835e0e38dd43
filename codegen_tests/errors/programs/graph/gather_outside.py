"""An index outside its axis in a graph."""

import numpy as np

import shaderdsl as sd
from shaderdsl import ops


@sd.compile(device="interpreter")
def first(table, tokens):
    return ops.relu(ops.embedding(table, tokens))


first(np.ones((5, 4), np.float32), np.array([0, 7], np.int32))
