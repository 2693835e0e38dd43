"""sd.array of vectors of another shape."""

import numpy as np

import shaderdsl as sd

sd.array(np.ones((4, 2), np.float32), sd.vec3f, device="interpreter")
