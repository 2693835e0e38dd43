"""Values and tests that comparisons cannot give: inf, NaN, bits, the finite limits.

sd.inf(f32)      sd.is_nan(x)      sd.bitcast(x, u32)      sd.lowest(f32)
"""

from __future__ import annotations

from typing import Any, TypeVar, overload

from shaderdsl.errors import ConstantError, KernelTypeError
from shaderdsl.ir.expr import Const, Expr
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F16, F32, FLOATS, U32, Type, is_float, scalar_of, with_scalar
from shaderdsl.lang import fold
from shaderdsl.lang.functions.kinds import B, R
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import operate, reinterpret
from shaderdsl.lang.scalars import bool_
from shaderdsl.lang.value import Value, expr_of, wrap, wrong_operand
from shaderdsl.lang.vectors import NumberVector
from shaderdsl.numeric.convert import bitcast as numeric_bitcast
from shaderdsl.source import Loc

A = TypeVar("A", bound=Value)

MAGNITUDE = 0x7FFFFFFF
INFINITY = 0x7F800000
"""f32's infinity by its bits: a larger magnitude is NaN."""

BITS_OF_INF = {F32: INFINITY, F16: 0x7C00}
BITS_OF_NAN = {F32: 0x7FC00000, F16: 0x7E00}
LARGEST = {F32: (2.0 - 2.0**-23) * 2.0**127, F16: 65504.0}
WIDTH = {F32: 32, F16: 16}


def inf(kind: type[R]) -> R:
    """Infinity, exact at run time on every device, where WGSL has no literal for it."""
    loc = here()
    return wrap(fold.float_bits(BITS_OF_INF[float_of(kind, loc)], float_of(kind, loc), loc))


def nan(kind: type[R]) -> R:
    """A quiet NaN, exact at run time on every device, where WGSL has no literal for it."""
    loc = here()
    return wrap(fold.float_bits(BITS_OF_NAN[float_of(kind, loc)], float_of(kind, loc), loc))


def float_bits(bits: int, kind: type[R]) -> R:
    """The float with these bits, exact on every device whether finite or not: `sd.float_bits(0x80000000, f32)` is -0.0."""
    loc = here()
    scalar = float_of(kind, loc)
    if not 0 <= bits < 2 ** WIDTH[scalar]:
        raise ConstantError(f"{bits:#x} is not the bits of {scalar}", loc, notes=[f"it has {WIDTH[scalar]}"])
    exponent = BITS_OF_INF[scalar]
    if bits & exponent == exponent or bits == fold.SIGN_BIT[scalar]:
        return wrap(fold.float_bits(bits, scalar, loc))
    if scalar == F32:
        value = float(numeric_bitcast(fold.DTYPES[U32.kind].type(bits), U32, F32))
    else:
        value = float(fold.DTYPES[F16.kind].type(0).__class__(0)) if bits == 0 else half(bits)
    return wrap(Const(value, scalar, loc))


def largest(kind: type[R]) -> R:
    """The largest finite value."""
    loc = here()
    scalar = float_of(kind, loc)
    return wrap(Const(LARGEST[scalar], scalar, loc))


def lowest(kind: type[R]) -> R:
    """The lowest finite value: where a running maximum starts, since -inf minus itself is NaN."""
    loc = here()
    scalar = float_of(kind, loc)
    return wrap(Const(-LARGEST[scalar], scalar, loc))
