"""sd.array of a Python type."""

import numpy as np

import shaderdsl as sd

sd.array(np.ones(4, np.float32), float, device="interpreter")
