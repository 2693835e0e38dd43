"""The numpy meaning of every operator, conversion and builtin of WGSL: what the interpreter computes and devices are held to.

A scalar value is an array of shape B (the batch: lanes, one, or nothing), a vector B + (n,), a matrix B + (columns, rows), a
structure the tuple of its members. Every function takes and gives such values in dtypes bool, int32, uint32, float32, float16.
"""
