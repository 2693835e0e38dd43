"""The scalar functions of formulas: their names, what they take, and what they mean in numpy's widest numbers.

lookup("inverseSqrt").name == "rsqrt";  FUNCTIONS["gelu"].meaning(np.float64([0.0, 1.0]))

Meanings take float64 or complex128 arrays (int64 for whole numbers) and stay finite wherever the result is: complex numbers carry
a complex step, so that kinks are decided by the real part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.types import I32, U32
from shaderdsl.numeric.builtins import call
from shaderdsl.spec.notation import Dtype

Array: TypeAlias = npt.NDArray[Any]


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
    meaning: Callable[..., Array]
    builtin: Builtin | None = None
    formula: str = ""


def negative(x: Array) -> Array:
    return np.real(x) < 0


def absolute(x: Array) -> Array:
    return np.where(negative(x), -x, x)


def greatest(x: Array, y: Array) -> Array:
    """The first where both are equal; NaN where either is."""
    return np.where((np.real(x) >= np.real(y)) | np.isnan(x), x, y)


def least(x: Array, y: Array) -> Array:
    return np.where((np.real(x) <= np.real(y)) | np.isnan(x), x, y)


def clamp(x: Array, low: Array, high: Array) -> Array:
    return least(greatest(x, low), high)


def saturate(x: Array) -> Array:
    return clamp(x, np.asarray(0.0), np.asarray(1.0))


def relu(x: Array) -> Array:
    return np.where(np.real(x) > 0, x, np.where(np.isnan(x), x, 0 * np.real(x)))


def decayed(x: Array) -> Array:
    """exp(-|x|)."""
    return np.exp(-absolute(x))


def sigmoid(x: Array) -> Array:
    small = decayed(x)
    return np.where(negative(x), small, 1.0) / (1.0 + small)


def silu(x: Array) -> Array:
    return x * sigmoid(x)


def softplus(x: Array) -> Array:
    return relu(x) + np.log1p(decayed(x))


GELU_SCALE = 0.7978845608028654
"""sqrt(2 / pi)"""


def gelu(x: Array) -> Array:
    """x * (1 + tanh(u)) / 2, which is x * sigmoid(2 u)."""
    return x * sigmoid(2.0 * GELU_SCALE * (x + 0.044715 * x * x * x))


def tanh(x: Array) -> Array:
    small = np.exp(-2.0 * absolute(x))
    far = np.where(negative(x), -1.0, 1.0) * (1.0 - small) / (1.0 + small)
    return np.where(np.abs(np.real(x)) > 20.0, far, np.tanh(np.where(np.abs(np.real(x)) > 20.0, 0.0, x)))


def real_of(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A step function: constant around almost every point."""
    return lambda x: function(np.real(x))


def fract(x: Array) -> Array:
    return x - np.floor(np.real(x))


def fma(x: Array, y: Array, z: Array) -> Array:
    return x * y + z


def mix(x: Array, y: Array, blend: Array) -> Array:
    return x * (1.0 - blend) + y * blend


def smoothstep(low: Array, high: Array, x: Array) -> Array:
    t = saturate((x - low) / (high - low))
    return t * t * (3.0 - 2.0 * t)


def step(edge: Array, x: Array) -> Array:
    return np.where(np.real(edge) <= np.real(x), 1.0, 0.0)


def where(condition: Array, chosen: Array, otherwise: Array) -> Array:
    return np.where(condition, chosen, otherwise)


def power(x: Array, y: Array) -> Array:
    """x ** y; a whole exponent without an imaginary part is taken exactly."""
    if np.iscomplexobj(x) and not np.iscomplexobj(y) and np.ndim(y) == 0 and float(y).is_integer() and abs(y) <= 64:
        whole = np.asarray(x) ** int(abs(y))
        return whole if y >= 0 else 1.0 / whole
    return np.power(x, y)


def atan2(y: Array, x: Array) -> Array:
    angle = np.arctan2(np.real(y), np.real(x))
    if not (np.iscomplexobj(y) or np.iscomplexobj(x)):
        return angle
    square = np.real(x) ** 2 + np.real(y) ** 2
    return angle + 1j * (np.real(x) * np.imag(y) - np.real(y) * np.imag(x)) / square


def inverse_root(x: Array) -> Array:
    return 1.0 / np.sqrt(x)


def degrees(x: Array) -> Array:
    return x * (180.0 / np.pi)


def radians(x: Array) -> Array:
    return x * (np.pi / 180.0)


def distance(x: Array, y: Array) -> Array:
    return absolute(x - y)


def scaled(x: Array, exponent: Array) -> Array:
    return x * np.exp2(exponent)


def half(x: Array) -> Array:
    return np.real(x).astype(np.float16).astype(np.float64)


def identity(x: Array) -> Array:
    return x


def first(x: Array, _: Array) -> Array:
    return x


def truncated(least_value: int, most: int) -> Callable[[Array], Array]:
    """A number towards zero into a whole type; beyond its ends the end, NaN to 0 (WGSL's conversion)."""

    def convert(x: Array) -> Array:
        value = np.asarray(np.real(x))
        if value.dtype.kind in "iub":
            return value.astype(np.int64)
        return np.clip(np.trunc(np.nan_to_num(value, nan=0.0)), least_value, most).astype(np.int64)

    return convert


def to_float(x: Array) -> Array:
    return x if np.asarray(x).dtype.kind in "fc" else np.asarray(x, dtype=np.float64)


def bitwise(builtin: Builtin) -> Callable[..., Array]:
    """A builtin on bits, by the meaning that the interpreter has; the type is that of the first argument's array."""

    def apply(*arguments: Array) -> Array:
        types = [I32 if a.dtype == np.int32 else U32 for a in arguments]
        result = I32 if builtin is Builtin.DOT4_I8_PACKED else types[0]
        return np.asarray(call(builtin, np.broadcast_arrays(*arguments), types, result))

    return apply


def shifted_left(x: Array, count: Array) -> Array:
    return x << (count & 31).astype(x.dtype)


def shifted_right(x: Array, count: Array) -> Array:
    return x >> (count & 31).astype(x.dtype)


def high_product(x: Array, y: Array) -> Array:
    """The upper 32 bits of the product."""
    wide = np.uint64 if x.dtype == np.uint32 else np.int64
    return ((x.astype(wide) * y.astype(wide)) >> wide(32)).astype(x.dtype)


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
    ScalarFunction("softplus", 1, F, softplus, None, "max(x, 0) + log(1 + exp(-abs(x)))"),
    ScalarFunction("gelu", 1, F, gelu, None, "x * sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))"),
    ScalarFunction("stop_gradient", 1, Domain.IDENTITY, identity, None, "x, and no gradient"),
    ScalarFunction("straight_through", 2, F, first, None, "f forward, g for gradients"),
    ScalarFunction("f32", 1, Domain.TO_F32, to_float),
    ScalarFunction("i32", 1, Domain.TO_I32, truncated(-(2**31), 2**31 - 1)),
    ScalarFunction("u32", 1, Domain.TO_U32, truncated(0, 2**32 - 1)),
    ScalarFunction("bit_and", 2, I, np.bitwise_and),
    ScalarFunction("bit_or", 2, I, np.bitwise_or),
    ScalarFunction("bit_xor", 2, I, np.bitwise_xor),
    ScalarFunction("bit_not", 1, I, np.invert),
    ScalarFunction("shift_left", 2, I, shifted_left),
    ScalarFunction("shift_right", 2, I, shifted_right),
    ScalarFunction("mul_high", 2, I, high_product),
    ScalarFunction("count_leading_zeros", 1, I, bitwise(Builtin.COUNT_LEADING_ZEROS), Builtin.COUNT_LEADING_ZEROS),
    ScalarFunction("count_one_bits", 1, I, bitwise(Builtin.COUNT_ONE_BITS), Builtin.COUNT_ONE_BITS),
    ScalarFunction("count_trailing_zeros", 1, I, bitwise(Builtin.COUNT_TRAILING_ZEROS), Builtin.COUNT_TRAILING_ZEROS),
    ScalarFunction("first_leading_bit", 1, I, bitwise(Builtin.FIRST_LEADING_BIT), Builtin.FIRST_LEADING_BIT),
    ScalarFunction("first_trailing_bit", 1, I, bitwise(Builtin.FIRST_TRAILING_BIT), Builtin.FIRST_TRAILING_BIT),
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
