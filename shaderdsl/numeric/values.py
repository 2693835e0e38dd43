"""What a value is in numpy: dtypes, widening to float64 and rounding back once.

widen(np.float32(0.1)).dtype == np.float64
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Scalar, Type, Vector

Array: TypeAlias = npt.NDArray[Any]
Wide: TypeAlias = npt.NDArray[np.float64]
Value: TypeAlias = "Array | tuple[Value, ...]"

DTYPES: dict[Scalar, np.dtype[Any]] = {
    BOOL: np.dtype(np.bool_),
    I32: np.dtype(np.int32),
    U32: np.dtype(np.uint32),
    F32: np.dtype(np.float32),
    F16: np.dtype(np.float16),
}


INTEGER_LIMITS: dict[Scalar, tuple[int, int]] = {I32: (-(2**31), 2**31 - 1), U32: (0, 2**32 - 1)}
"""The least and the largest value of each integer type."""


def widen(value: Array) -> Wide:
    """The same numbers as float64, in which sums and products of f32 and f16 lose (almost) nothing before the one rounding."""
    return value.astype(np.float64)


def align(values: Sequence[Array], types: Sequence[Type]) -> Sequence[Array]:
    """Scalars get a component axis when a vector stands beside them, so that numpy broadcasts them over it."""
    if not any(isinstance(each, Vector) for each in types):
        return values
    return tuple(value[..., None] if isinstance(each, Scalar) else value for value, each in zip(values, types))
