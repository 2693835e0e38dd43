"""Axes of one name that differ in an op."""

import numpy as np

import shaderdsl as sd

pair = sd.op("pair", "given a[n], b[n]\ny[i] = a[i]\nz[j] = b[j]\nout(y, z)")
pair(a=np.ones(5), b=np.ones(3))
