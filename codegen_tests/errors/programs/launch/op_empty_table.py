"""A gather from a table without rows."""

import numpy as np

import shaderdsl as sd

row = sd.op("row", "y[t] = w[ids[t]]")
row(w=np.ones(0), ids=np.array([0]))
