"""Rounding and the parts of a float: `sd.floor(x)`, `sd.frexp(x).exp`."""

from __future__ import annotations

from typing import TypeVar, overload

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.types import F16, F32, scalar_of, with_scalar
from shaderdsl.lang.functions.kinds import V2, V3, V4, F, R, exponent_of
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import call
from shaderdsl.lang.results import Frexp, Modf, halved
from shaderdsl.lang.scalars import f32, i32
from shaderdsl.lang.value import Value, expr_of, wrap
from shaderdsl.lang.vectors import vec2f, vec2i, vec3f, vec3i, vec4f, vec4i

Q = TypeVar("Q", f32, vec2f, vec3f, vec4f)


def ceil(x: F) -> F:
    """The least whole number that is not below x, exact."""
    return call(Builtin.CEIL, x)


def floor(x: F) -> F:
    """The largest whole number that is not above x, exact."""
    return call(Builtin.FLOOR, x)


def round(x: F) -> F:  # noqa: A001 (WGSL's name)
    """The nearest whole number, halves to even, exact."""
    return call(Builtin.ROUND, x)


def trunc(x: F) -> F:
    """The nearest whole number towards zero, exact."""
    return call(Builtin.TRUNC, x)


def fract(x: F) -> F:
    """x - floor(x), in [0, 1]: rounding may give 1 for tiny negative x."""
    return call(Builtin.FRACT, x)


def modf(x: F) -> Modf[F]:
    """The parts `.fract` and `.whole` of x, both with its sign, exact; finite x only."""
    return call(Builtin.MODF, x)


@overload
def frexp(x: R) -> Frexp[R, i32]: ...
@overload
def frexp(x: V2) -> Frexp[V2, vec2i]: ...
@overload
def frexp(x: V3) -> Frexp[V3, vec3i]: ...
@overload
def frexp(x: V4) -> Frexp[V4, vec4i]: ...
def frexp(x: Value) -> object:
    """`.fract` in [0.5, 1) by magnitude and `.exp` so that x = fract * 2**exp, exact; finite x only."""
    if not isinstance(x, Value) or scalar_of(x._expr.type) != F16:
        return call(Builtin.FREXP, x)
    loc = here()
    single = Steps(loc).convert(expr_of(x, loc), with_scalar(x._expr.type, F32))
    return halved(call(Builtin.FREXP, wrap(single)))


@overload
def ldexp(x: R, exponent: i32 | int) -> R: ...
@overload
def ldexp(x: V2, exponent: vec2i | int) -> V2: ...
@overload
def ldexp(x: V3, exponent: vec3i | int) -> V3: ...
@overload
def ldexp(x: V4, exponent: vec4i | int) -> V4: ...
def ldexp(x: Value, exponent: object) -> object:
    """x * 2**exponent, correctly rounded; the exponent is at most 128 for f32 and 16 for f16."""
    return call(Builtin.LDEXP, x, exponent_of(exponent, x))


def quantize_to_f16(x: Q) -> Q:
    """x rounded to what f16 holds, still as f32; beyond f16's range the result is not defined."""
    return call(Builtin.QUANTIZE_TO_F16, x)
