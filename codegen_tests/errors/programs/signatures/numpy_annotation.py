"""A parameter annotated as a numpy array."""

import numpy as np

import shaderdsl as sd


@sd.kernel
def bad(k: sd.Kernel, x: np.ndarray) -> None:
    k.barrier()


bad.wgsl()
