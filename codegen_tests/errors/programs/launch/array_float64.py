"""sd.array of float64."""

import numpy as np

import shaderdsl as sd

sd.array(np.ones(4), device="interpreter")
