"""The scalar functions of formulas: their names, what they take, and what they mean in numpy's widest numbers.

lookup("inverseSqrt").name == "rsqrt";  FUNCTIONS["gelu"].meaning(np.float64([0.0, 1.0]))

Canonical names are WGSL's in snake case, but rsqrt and where; `lookup` takes every other spelling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.spec.meanings import (
    absolute,
    atan2,
    bitwise,
    clamp,
    degrees,
    distance,
    expm1,
    exprel,
    exprel_slope,
    first,
    fma,
    fract,
    gelu,
    gelu_slope,
    greatest,
    half,
    high_product,
    identity,
    inverse_root,
    least,
    log1p,
    mix,
    power,
    radians,
    real_of,
    relu,
    saturate,
    scaled,
    shifted_left,
    shifted_right,
    sigmoid,
    silu,
    silu_slope,
    smoothstep,
    softplus,
    step,
    tanh,
    to_float,
    truncated,
    where,
)
from shaderdsl.spec.notation import Dtype


class Domain(Enum):
    """What a function takes and gives; the value is how messages say it."""

    FLOAT = "numbers, as f32"
    NUMERIC = "numbers of one type"
    INTEGER = "i32 or u32"
    SELECT = "a condition and two numbers"
    IDENTITY = "numbers"
    TO_F32 = "a number"
    TO_I32 = "a number "
    TO_U32 = "a number  "
    PACKED_I32 = "two u32"
    PACKED_U32 = "two u32 "


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """One row. builtin: WGSL's function of the same meaning, None where it is composed as `formula` says, in a stable form."""

    name: str
    arity: int
    domain: Domain
    meaning: Callable[..., Any]
    builtin: Builtin | None = None
    formula: str = ""
    counts: int = 0
    """How many of the last arguments are numbers of bits, u32 beside a value of any whole type."""


F, N, I = Domain.FLOAT, Domain.NUMERIC, Domain.INTEGER  # noqa: E741 (the letters of the table)

TABLE: tuple[ScalarFunction, ...] = (
    ScalarFunction("abs", 1, N, absolute, Builtin.ABS),
    ScalarFunction("acos", 1, F, np.arccos, Builtin.ACOS),
    ScalarFunction("acosh", 1, F, np.arccosh, Builtin.ACOSH),
    ScalarFunction("asin", 1, F, np.arcsin, Builtin.ASIN),
    ScalarFunction("asinh", 1, F, np.arcsinh, Builtin.ASINH),
    ScalarFunction("atan", 1, F, np.arctan, Builtin.ATAN),
    ScalarFunction("atan2", 2, F, atan2, Builtin.ATAN2),
    ScalarFunction("atanh", 1, F, np.arctanh, Builtin.ATANH),
    ScalarFunction("ceil", 1, F, real_of(np.ceil), Builtin.CEIL),
    ScalarFunction("clamp", 3, N, clamp, Builtin.CLAMP),
    ScalarFunction("cos", 1, F, np.cos, Builtin.COS),
    ScalarFunction("cosh", 1, F, np.cosh, Builtin.COSH),
    ScalarFunction("degrees", 1, F, degrees, Builtin.DEGREES),
    ScalarFunction("distance", 2, F, distance, Builtin.DISTANCE),
    ScalarFunction("exp", 1, F, np.exp, Builtin.EXP),
    ScalarFunction("exp2", 1, F, np.exp2, Builtin.EXP2),
    ScalarFunction("floor", 1, F, real_of(np.floor), Builtin.FLOOR),
    ScalarFunction("fma", 3, F, fma, Builtin.FMA),
    ScalarFunction("fract", 1, F, fract, Builtin.FRACT),
    ScalarFunction("ldexp", 2, F, scaled, Builtin.LDEXP),
    ScalarFunction("length", 1, F, absolute, Builtin.LENGTH),
    ScalarFunction("log", 1, F, np.log, Builtin.LOG),
    ScalarFunction("log2", 1, F, np.log2, Builtin.LOG2),
    ScalarFunction("max", 2, N, greatest, Builtin.MAX),
    ScalarFunction("min", 2, N, least, Builtin.MIN),
    ScalarFunction("mix", 3, F, mix, Builtin.MIX),
    ScalarFunction("pow", 2, F, power, Builtin.POW),
    ScalarFunction("quantize_to_f16", 1, F, half, Builtin.QUANTIZE_TO_F16),
    ScalarFunction("radians", 1, F, radians, Builtin.RADIANS),
    ScalarFunction("round", 1, F, real_of(np.rint), Builtin.ROUND),
    ScalarFunction("rsqrt", 1, F, inverse_root, Builtin.INVERSE_SQRT),
    ScalarFunction("saturate", 1, F, saturate, Builtin.SATURATE),
    ScalarFunction("sign", 1, N, real_of(np.sign), Builtin.SIGN),
    ScalarFunction("sin", 1, F, np.sin, Builtin.SIN),
    ScalarFunction("sinh", 1, F, np.sinh, Builtin.SINH),
    ScalarFunction("smoothstep", 3, F, smoothstep, Builtin.SMOOTHSTEP),
    ScalarFunction("sqrt", 1, F, np.sqrt, Builtin.SQRT),
    ScalarFunction("step", 2, F, step, Builtin.STEP),
    ScalarFunction("tan", 1, F, np.tan, Builtin.TAN),
    ScalarFunction("tanh", 1, F, tanh, Builtin.TANH),
    ScalarFunction("trunc", 1, F, real_of(np.trunc), Builtin.TRUNC),
    ScalarFunction("where", 3, Domain.SELECT, where, Builtin.SELECT, "where(condition, chosen, otherwise)"),
    ScalarFunction("relu", 1, F, relu, None, "max(x, 0)"),
    ScalarFunction("sigmoid", 1, F, sigmoid, None, "where(x < 0, exp(-abs(x)), 1) / (1 + exp(-abs(x)))"),
    ScalarFunction("silu", 1, F, silu, None, "x * sigmoid(x)"),
    ScalarFunction("silu_slope", 1, F, silu_slope, None, "sigmoid(x) * (1 + x * sigmoid(-x)): the derivative of silu"),
    ScalarFunction("softplus", 1, F, softplus, None, "max(x, 0) + log(1 + exp(-abs(x)))"),
    ScalarFunction("gelu", 1, F, gelu, None, "x * sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))"),
    ScalarFunction(
        "gelu_slope",
        1,
        F,
        gelu_slope,
        None,
        "sigmoid(v) * (1 + x * sigmoid(-v) * v'), where gelu is x * sigmoid(v): its derivative",
    ),
    ScalarFunction("expm1", 1, F, expm1, None, "exp(x) - 1"),
    ScalarFunction("log1p", 1, F, log1p, None, "log(1 + x)"),
    ScalarFunction("exprel", 1, F, exprel, None, "(exp(x) - 1) / x, 1 at 0"),
    ScalarFunction(
        "exprel_slope", 1, F, exprel_slope, None, "(x * exp(x) - exp(x) + 1) / x**2, 0.5 at 0: the derivative of exprel"
    ),
    ScalarFunction("stop_gradient", 1, Domain.IDENTITY, identity, None, "x, and no gradient"),
    ScalarFunction("straight_through", 2, F, first, None, "f forward, g for gradients"),
    ScalarFunction("f32", 1, Domain.TO_F32, to_float),
    ScalarFunction("i32", 1, Domain.TO_I32, truncated(-(2**31), 2**31 - 1)),
    ScalarFunction("u32", 1, Domain.TO_U32, truncated(0, 2**32 - 1)),
    ScalarFunction("bit_and", 2, I, np.bitwise_and),
    ScalarFunction("bit_or", 2, I, np.bitwise_or),
    ScalarFunction("bit_xor", 2, I, np.bitwise_xor),
    ScalarFunction("bit_not", 1, I, np.invert),
    ScalarFunction("shift_left", 2, I, shifted_left, counts=1),
    ScalarFunction("shift_right", 2, I, shifted_right, counts=1),
    ScalarFunction("mul_high", 2, I, high_product),
    ScalarFunction("count_leading_zeros", 1, I, bitwise(Builtin.COUNT_LEADING_ZEROS), Builtin.COUNT_LEADING_ZEROS),
    ScalarFunction("count_one_bits", 1, I, bitwise(Builtin.COUNT_ONE_BITS), Builtin.COUNT_ONE_BITS),
    ScalarFunction("count_trailing_zeros", 1, I, bitwise(Builtin.COUNT_TRAILING_ZEROS), Builtin.COUNT_TRAILING_ZEROS),
    ScalarFunction("first_leading_bit", 1, I, bitwise(Builtin.FIRST_LEADING_BIT), Builtin.FIRST_LEADING_BIT),
    ScalarFunction("first_trailing_bit", 1, I, bitwise(Builtin.FIRST_TRAILING_BIT), Builtin.FIRST_TRAILING_BIT),
    ScalarFunction("extract_bits", 3, I, bitwise(Builtin.EXTRACT_BITS), Builtin.EXTRACT_BITS, counts=2),
    ScalarFunction("insert_bits", 4, I, bitwise(Builtin.INSERT_BITS), Builtin.INSERT_BITS, counts=2),
    ScalarFunction("reverse_bits", 1, I, bitwise(Builtin.REVERSE_BITS), Builtin.REVERSE_BITS),
    ScalarFunction("dot4_i8_packed", 2, Domain.PACKED_I32, bitwise(Builtin.DOT4_I8_PACKED), Builtin.DOT4_I8_PACKED),
    ScalarFunction("dot4_u8_packed", 2, Domain.PACKED_U32, bitwise(Builtin.DOT4_U8_PACKED), Builtin.DOT4_U8_PACKED),
)

FUNCTIONS: dict[str, ScalarFunction] = {f.name: f for f in TABLE}

ALIASES: dict[str, str] = {
    **{f.builtin.value: f.name for f in TABLE if f.builtin is not None and f.builtin is not Builtin.SELECT},
    "inverse_sqrt": "rsqrt",
    "power": "pow",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "maximum": "max",
    "minimum": "min",
    "logistic": "sigmoid",
    "swish": "silu",
    "exp_m1": "expm1",
    "ln_1p": "log1p",
    "phi1": "exprel",
}
"""Other names: WGSL's spelling and the usual ones. `select` has WGSL's order of arguments: see `resolve`."""

RESULTS: dict[Domain, Dtype] = {
    Domain.FLOAT: Dtype.F32,
    Domain.TO_F32: Dtype.F32,
    Domain.TO_I32: Dtype.I32,
    Domain.TO_U32: Dtype.U32,
    Domain.PACKED_I32: Dtype.I32,
    Domain.PACKED_U32: Dtype.U32,
}
"""Domains whose result has one type whatever the arguments are."""


def lookup(name: str) -> ScalarFunction | None:
    """The function of a name or of another name for it."""
    return FUNCTIONS.get(ALIASES.get(name, name))
