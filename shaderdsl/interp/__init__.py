"""The interpreter: the meaning of a kernel, in numpy, many lanes in lock step."""
