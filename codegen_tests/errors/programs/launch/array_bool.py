"""sd.array of bools."""

import numpy as np

import shaderdsl as sd

sd.array(np.ones(4, bool), device="interpreter")
