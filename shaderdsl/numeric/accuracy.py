"""What a device may answer: for each float operation the acceptance interval that the specification's bound gives.

low, high = interval(Builtin.EXP, (np.float32([1.0]),), F32)
low <= device_result <= high; infinite ends where the specification promises nothing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.ir.accuracy import ACCURACY, Operation, Ulps
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import F32, U32, Scalar, Type, Vector
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.inherited import (
    acos,
    acosh,
    asin,
    asinh,
    atanh,
    cosh,
    cross,
    distance,
    face_forward,
    fraction,
    frexp_fract,
    fused,
    length,
    mix,
    modf_fract,
    no_bound,
    normalize,
    power,
    quantized,
    reflect,
    refract,
    remainder,
    saturate,
    sinh,
    smoothstep,
    tan,
    tanh,
    times,
    transposed,
)
from shaderdsl.numeric.interval_functions import (
    absolute,
    atan,
    atan2,
    clamp,
    cos,
    dot,
    exact,
    exp,
    exp2,
    floor,
    greatest,
    inverse_square_root,
    least,
    log,
    log2,
    sin,
    square_root,
    step,
    trunc,
)
from shaderdsl.numeric.intervals import FORMATS, Format, Interval, point, rounded, widened
from shaderdsl.numeric.rounding import FAR
from shaderdsl.numeric.values import Array, Wide, widen


def interval(operation: Operation, arguments: Sequence[Array], scalar: Scalar) -> tuple[Wide, Wide]:
    """Least and greatest acceptable result, as float64 arrays, for float arguments of component type `scalar`.

    Functions of vectors take their components on the last axis (length and distance of a scalar: an axis of one); refract's
    ratio and mix's blend broadcast. frexp and modf give the interval of `fract`. NaN and infinite arguments give no bound.
    """
    kind = FORMATS[scalar]
    if operation not in RAW and operation not in INTERVALS:
        raise InternalError(f"{operation.value} has no interval: its result is exact")
    with np.errstate(all="ignore"):
        if operation in RAW:
            found = RAW[operation](kind, *arguments)
        else:
            found = INTERVALS[operation](*(point(widen(np.asarray(x)), kind) for x in arguments))
    return found.low, found.high


def scaled(format: Format, x: Array, exponent: Array) -> Interval:
    """ldexp: a single rounding of x * 2^exponent."""
    known = point(widen(np.asarray(x)), format)
    power = np.clip(exponent, -FAR, FAR)
    return rounded(np.ldexp(known.low, power), np.ldexp(known.high, power), format)


def unpacked(builtin: Builtin, result: Type) -> Callable[[Format, Array], Interval]:
    """The unpack functions: units in the last place around the interpreter's value, or that value."""

    def apply(format: Format, word: Array) -> Interval:
        value = call(builtin, (word,), (U32,), result)
        wide = np.asarray(value, dtype=np.float64)
        bound = format.bound(ACCURACY[builtin])
        if not isinstance(bound, Ulps):
            return point(wide, format)
        # A zero is exact: there is nothing to round.
        ends = widened(wide, wide, np.where(wide == 0, 0.0, bound.count), format)
        return rounded(*ends, format)

    return apply


PACKED_RESULTS: dict[Builtin, Type] = {
    Builtin.UNPACK2X16_FLOAT: Vector(2, F32),
    Builtin.UNPACK2X16_SNORM: Vector(2, F32),
    Builtin.UNPACK2X16_UNORM: Vector(2, F32),
    Builtin.UNPACK4X8_SNORM: Vector(4, F32),
    Builtin.UNPACK4X8_UNORM: Vector(4, F32),
}

RAW: dict[Operation, Callable[..., Interval]] = {
    Builtin.LDEXP: scaled,
    **{builtin: unpacked(builtin, result) for builtin, result in PACKED_RESULTS.items()},
}
"""Operations with an integer argument, which is no interval."""

INTERVALS: dict[Operation, Callable[..., Interval]] = {
    BinaryOp.ADD: Interval.__add__,
    BinaryOp.SUB: Interval.__sub__,
    BinaryOp.MUL: Interval.__mul__,
    BinaryOp.DIV: Interval.__truediv__,
    BinaryOp.REM: remainder,
    UnaryOp.NEGATE: Interval.__neg__,
    Builtin.ABS: absolute,
    Builtin.ACOS: acos,
    Builtin.ACOSH: acosh,
    Builtin.ASIN: asin,
    Builtin.ASINH: asinh,
    Builtin.ATAN: atan,
    Builtin.ATAN2: atan2,
    Builtin.ATANH: atanh,
    Builtin.CEIL: exact(np.ceil),
    Builtin.CLAMP: clamp,
    Builtin.COS: cos,
    Builtin.COSH: cosh,
    Builtin.CROSS: cross,
    Builtin.DEGREES: times(57.295779513082322865),
    Builtin.DETERMINANT: no_bound,
    Builtin.DISTANCE: distance,
    Builtin.DOT: dot,
    Builtin.EXP: exp,
    Builtin.EXP2: exp2,
    Builtin.FACE_FORWARD: face_forward,
    Builtin.FLOOR: floor,
    Builtin.FMA: fused,
    Builtin.FRACT: fraction,
    Builtin.FREXP: frexp_fract,
    Builtin.INVERSE_SQRT: inverse_square_root,
    Builtin.LENGTH: length,
    Builtin.LOG: log,
    Builtin.LOG2: log2,
    Builtin.MAX: greatest,
    Builtin.MIN: least,
    Builtin.MIX: mix,
    Builtin.MODF: modf_fract,
    Builtin.NORMALIZE: normalize,
    Builtin.POW: power,
    Builtin.QUANTIZE_TO_F16: quantized,
    Builtin.RADIANS: times(0.017453292519943295474),
    Builtin.REFLECT: reflect,
    Builtin.REFRACT: refract,
    Builtin.ROUND: exact(np.rint),
    Builtin.SATURATE: saturate,
    Builtin.SIGN: exact(np.sign),
    Builtin.SIN: sin,
    Builtin.SINH: sinh,
    Builtin.SMOOTHSTEP: smoothstep,
    Builtin.SQRT: square_root,
    Builtin.STEP: step,
    Builtin.TAN: tan,
    Builtin.TANH: tanh,
    Builtin.TRANSPOSE: transposed,
    Builtin.TRUNC: trunc,
}
