"""Value conversions `f32(x)`, `vec2<i32>(v)` and reinterpretations `bitcast<u32>(x)`.

convert(np.float32([3e9, -1.7]), F32, I32) is [2147483520, -1]
"""

from __future__ import annotations

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Matrix, Scalar, Type, Vector, is_float, scalar_of, with_scalar
from shaderdsl.numeric.values import DTYPES, Array

BOUNDS: dict[tuple[Scalar, Scalar], tuple[float, float]] = {
    (F32, I32): (-2147483648.0, 2147483520.0),
    (F32, U32): (0.0, 4294967040.0),
    (F16, I32): (-65504.0, 65504.0),
    (F16, U32): (0.0, 65504.0),
}
"""Least and greatest integer that both the float and the integer type hold: what a float is clamped to."""


def convert(value: Array, source: Type, target: Type) -> Array:
    """Each component as the target's component type: floats truncate and saturate to integers, integers wrap among themselves.

    NaN becomes 0 as an integer and true as a bool; a number beyond f16 becomes an infinity (WGSL leaves both open).
    """
    origin, goal = scalar_of(source), scalar_of(target)
    if origin is None or goal is None or with_scalar(source, goal) != target:
        raise InternalError(f"no conversion from {source} to {target}")
    with np.errstate(all="ignore"):
        return convert_components(value, origin, goal)


def convert_components(value: Array, origin: Scalar, goal: Scalar) -> Array:
    """`convert` once the shapes are known to agree."""
    if origin == goal:
        return value
    if goal == BOOL:
        return np.not_equal(value, 0)
    if is_float(origin) and not is_float(goal):
        return truncate(value, origin, goal)
    if goal == F16 and origin in (I32, U32):
        # Through float64, which holds every integer: numpy's own path may round twice.
        return value.astype(np.float64).astype(np.float16)
    return value.astype(DTYPES[goal])


def truncate(value: Array, origin: Scalar, goal: Scalar) -> Array:
    """A float as an integer: clamped, then rounded towards zero; NaN is 0."""
    low, high = BOUNDS[origin, goal]
    wide = np.clip(value.astype(np.float64), low, high)
    return np.where(np.isnan(wide), 0.0, wide).astype(DTYPES[goal])


def bitcast(value: Array, source: Type, target: Type) -> Array:
    """The same bits as another type of the same size; the first component lies in the low bits."""
    with_axis = value if isinstance(source, Vector) else np.asarray(value)[..., None]
    if isinstance(source, Matrix) or bits(source) != bits(target):
        raise InternalError(f"no bitcast from {source} to {target}")
    dtype = DTYPES[component(target)].newbyteorder("<")
    little = np.ascontiguousarray(with_axis).astype(with_axis.dtype.newbyteorder("<"), copy=False)
    result = little.view(dtype).astype(DTYPES[component(target)], copy=False)
    return result if isinstance(target, Vector) else result[..., 0]


def bits(type: Type) -> int:
    """The size of a scalar or vector that may be reinterpreted."""
    size = type.size if isinstance(type, Vector) else 1
    return size * DTYPES[component(type)].itemsize * 8


def component(type: Type) -> Scalar:
    """The component type of a numeric scalar or vector."""
    scalar = scalar_of(type)
    if scalar is None or scalar == BOOL:
        raise InternalError(f"no bitcast of {type}")
    return scalar
