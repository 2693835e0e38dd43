"""The room where specs become Kernels: the plain schedule, right for every spec; faster ones stand beside it and are held to it."""
