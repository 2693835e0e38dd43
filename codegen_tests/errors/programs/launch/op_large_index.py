"""An index that 32 bits do not hold, in the reference."""

import numpy as np

import shaderdsl as sd

row = sd.op("row", "y[t] = w[ids[t]]")
row.reference(w=np.ones(3), ids=np.array([2**63], np.uint64))
