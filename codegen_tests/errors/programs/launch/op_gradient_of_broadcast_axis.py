"""A tangent with the length of what it is broadcast to."""

import numpy as np

import shaderdsl as sd

add = sd.op("add", "y[..., i] = x[..., i] + bias[..., i]")
x, bias = np.ones((4, 3)), np.ones((1, 3))
add.jvp(x=x, bias=bias, t_x=x, t_bias=x)
