"""Axes of one name that differ in the backward of an op."""

import numpy as np

import shaderdsl as sd

scale = sd.op("scale", "given x[..., i], gain[i]\ny[..., i] = x[..., i] * gain[i]")
x = np.ones((4, 3))
scale.vjp(x=x, gain=np.ones(3), d_y=np.ones((2, 3)))
