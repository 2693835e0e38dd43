"""Arithmetic, powers and trigonometry, componentwise on vectors: `sd.exp(x)`, `sd.clamp(x, 0, 1)`.

A Python number may stand for an argument wherever another one is traced. Accuracy is that of the WGSL specification for f32.
"""

from __future__ import annotations

from typing import overload

from shaderdsl.ir.builtins import Builtin
from shaderdsl.lang.functions.kinds import VF, VH, F, N, S, beside
from shaderdsl.lang.operate import call
from shaderdsl.lang.scalars import f16, f32

# Powers and logarithms


def exp(x: F) -> F:
    """e**x; 3 + 2|x| ulp."""
    return call(Builtin.EXP, x)


def exp2(x: F) -> F:
    """2**x; 3 + 2|x| ulp."""
    return call(Builtin.EXP2, x)


def log(x: F) -> F:
    """The natural logarithm, for x > 0; 3 ulp, and 2**-21 absolute for x in [0.5, 2]."""
    return call(Builtin.LOG, x)


def log2(x: F) -> F:
    """The logarithm to base 2, for x > 0; 3 ulp, and 2**-21 absolute for x in [0.5, 2]."""
    return call(Builtin.LOG2, x)


def pow(x: F | int | float, y: F | int | float) -> F:  # noqa: A001 (WGSL's name)
    """x**y, for x > 0; as accurate as exp2(y * log2(x))."""
    return call(Builtin.POW, x, y)


def sqrt(x: F) -> F:
    """The square root, for x >= 0; as accurate as 1 / inverse_sqrt(x)."""
    return call(Builtin.SQRT, x)


def inverse_sqrt(x: F) -> F:
    """1 / sqrt(x), for x > 0; 2 ulp."""
    return call(Builtin.INVERSE_SQRT, x)


# Comparison and interpolation


def abs(x: N) -> N:  # noqa: A001 (WGSL's name)
    """The magnitude, exact; the least i32 stays as it is."""
    return call(Builtin.ABS, x)


def sign(x: S) -> S:
    """-1, 0 or 1 by the sign of x, exact."""
    return call(Builtin.SIGN, x)


def max(x: N | int | float, y: N | int | float) -> N:  # noqa: A001 (WGSL's name)
    """The larger, exact; a device may give either where one is NaN."""
    return call(Builtin.MAX, x, y)


def min(x: N | int | float, y: N | int | float) -> N:  # noqa: A001 (WGSL's name)
    """The smaller, exact; a device may give either where one is NaN."""
    return call(Builtin.MIN, x, y)


def clamp(x: N | int | float, low: N | int | float, high: N | int | float) -> N:
    """x limited to [low, high], exact; a constant low above a constant high is an error."""
    return call(Builtin.CLAMP, x, low, high)


def saturate(x: F) -> F:
    """x limited to [0, 1], exact."""
    return call(Builtin.SATURATE, x)


@overload
def mix(x: F | int | float, y: F, a: F | int | float) -> F: ...
@overload
def mix(x: F, y: F | int | float, a: F | int | float) -> F: ...
@overload
def mix(x: VF, y: VF | int | float, a: f32) -> VF: ...
@overload
def mix(x: VH, y: VH | int | float, a: f16) -> VH: ...
def mix(x: object, y: object, a: object) -> object:
    """x * (1 - a) + y * a; beside vectors, `a` may be a scalar."""
    return call(Builtin.MIX, beside(x, y, a), beside(y, x, a), a)


def step(edge: F | int | float, x: F | int | float) -> F:
    """1 where edge <= x, else 0; exact."""
    return call(Builtin.STEP, edge, x)


def smoothstep(low: F | int | float, high: F | int | float, x: F | int | float) -> F:
    """0 below `low`, 1 above `high`, t*t*(3 - 2t) between; equal constant edges are an error."""
    return call(Builtin.SMOOTHSTEP, low, high, x)


def fma(x: F | int | float, y: F | int | float, z: F | int | float) -> F:
    """x * y + z; a device may round once or twice."""
    return call(Builtin.FMA, x, y, z)


# Angles


def sin(x: F) -> F:
    """The sine of radians; 2**-11 absolute for x in [-pi, pi], no bound beyond."""
    return call(Builtin.SIN, x)


def cos(x: F) -> F:
    """The cosine of radians; 2**-11 absolute for x in [-pi, pi], no bound beyond."""
    return call(Builtin.COS, x)


def tan(x: F) -> F:
    """The tangent of radians; as accurate as sin(x) / cos(x)."""
    return call(Builtin.TAN, x)


def asin(x: F) -> F:
    """The arc sine, for x in [-1, 1]; 6.81e-5 absolute, or as atan2(x, sqrt(1 - x*x)) where that is worse."""
    return call(Builtin.ASIN, x)


def acos(x: F) -> F:
    """The arc cosine, for x in [-1, 1]; 6.77e-5 absolute, or as atan2(sqrt(1 - x*x), x) where that is worse."""
    return call(Builtin.ACOS, x)


def atan(x: F) -> F:
    """The arc tangent, in (-pi/2, pi/2); 4096 ulp."""
    return call(Builtin.ATAN, x)


def atan2(y: F | int | float, x: F | int | float) -> F:
    """The angle of the point (x, y), in [-pi, pi]; 4096 ulp while |x| is a normal number, no bound else."""
    return call(Builtin.ATAN2, y, x)


def sinh(x: F) -> F:
    """The hyperbolic sine; as accurate as (exp(x) - exp(-x)) * 0.5."""
    return call(Builtin.SINH, x)


def cosh(x: F) -> F:
    """The hyperbolic cosine; as accurate as (exp(x) + exp(-x)) * 0.5."""
    return call(Builtin.COSH, x)


def asinh(x: F) -> F:
    """The inverse hyperbolic sine; as accurate as log(x + sqrt(x*x + 1))."""
    return call(Builtin.ASINH, x)


def acosh(x: F) -> F:
    """The inverse hyperbolic cosine, for x >= 1; as accurate as log(x + sqrt(x*x - 1))."""
    return call(Builtin.ACOSH, x)


def atanh(x: F) -> F:
    """The inverse hyperbolic tangent, for |x| < 1; as accurate as log((1 + x) / (1 - x)) * 0.5."""
    return call(Builtin.ATANH, x)


def degrees(x: F) -> F:
    """Radians as degrees; as accurate as one product."""
    return call(Builtin.DEGREES, x)


def radians(x: F) -> F:
    """Degrees as radians; as accurate as one product."""
    return call(Builtin.RADIANS, x)
