"""Reading an array that was given back."""

import numpy as np

import shaderdsl as sd

x = sd.array(np.ones(4, np.float32), device="interpreter")
x.free()
x.numpy()
