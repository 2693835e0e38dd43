"""sd.array with another element type."""

import numpy as np

import shaderdsl as sd
from shaderdsl import i32

sd.array(np.ones(4, np.float32), i32, device="interpreter")
