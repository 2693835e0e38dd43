"""sd.array on an unknown device."""

import numpy as np

import shaderdsl as sd

sd.array(np.ones(4, np.float32), device="cuda")
