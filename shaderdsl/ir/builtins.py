"""WGSL's numeric, logical, bit and packing builtins: their overloads as a table, and the type a call gives.

result_type(Builtin.DOT, (Vector(3, F32), Vector(3, F32))) == F32
describe_overloads(Builtin.SATURATE) == "saturate(T) -> T, where T is a scalar or vector of f32, f16"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never

from shaderdsl.ir.types import (
    BOOL,
    F32,
    FLOATS,
    I32,
    INTEGERS,
    NUMERIC,
    U32,
    Matrix,
    Member,
    Scalar,
    Struct,
    Type,
    Vector,
    scalar_of,
    with_scalar,
)


class Builtin(Enum):
    """A builtin function; the value is the WGSL spelling."""

    ABS = "abs"
    ACOS = "acos"
    ACOSH = "acosh"
    ALL = "all"
    ANY = "any"
    ASIN = "asin"
    ASINH = "asinh"
    ATAN = "atan"
    ATAN2 = "atan2"
    ATANH = "atanh"
    CEIL = "ceil"
    CLAMP = "clamp"
    COS = "cos"
    COSH = "cosh"
    COUNT_LEADING_ZEROS = "countLeadingZeros"
    COUNT_ONE_BITS = "countOneBits"
    COUNT_TRAILING_ZEROS = "countTrailingZeros"
    CROSS = "cross"
    DEGREES = "degrees"
    DETERMINANT = "determinant"
    DISTANCE = "distance"
    DOT = "dot"
    DOT4_I8_PACKED = "dot4I8Packed"
    DOT4_U8_PACKED = "dot4U8Packed"
    EXP = "exp"
    EXP2 = "exp2"
    EXTRACT_BITS = "extractBits"
    FACE_FORWARD = "faceForward"
    FIRST_LEADING_BIT = "firstLeadingBit"
    FIRST_TRAILING_BIT = "firstTrailingBit"
    FLOOR = "floor"
    FMA = "fma"
    FRACT = "fract"
    FREXP = "frexp"
    INSERT_BITS = "insertBits"
    INVERSE_SQRT = "inverseSqrt"
    LDEXP = "ldexp"
    LENGTH = "length"
    LOG = "log"
    LOG2 = "log2"
    MAX = "max"
    MIN = "min"
    MIX = "mix"
    MODF = "modf"
    NORMALIZE = "normalize"
    PACK2X16_FLOAT = "pack2x16float"
    PACK2X16_SNORM = "pack2x16snorm"
    PACK2X16_UNORM = "pack2x16unorm"
    PACK4X8_SNORM = "pack4x8snorm"
    PACK4X8_UNORM = "pack4x8unorm"
    PACK4X_I8 = "pack4xI8"
    PACK4X_I8_CLAMP = "pack4xI8Clamp"
    PACK4X_U8 = "pack4xU8"
    PACK4X_U8_CLAMP = "pack4xU8Clamp"
    POW = "pow"
    QUANTIZE_TO_F16 = "quantizeToF16"
    RADIANS = "radians"
    REFLECT = "reflect"
    REFRACT = "refract"
    REVERSE_BITS = "reverseBits"
    ROUND = "round"
    SATURATE = "saturate"
    SELECT = "select"
    SIGN = "sign"
    SIN = "sin"
    SINH = "sinh"
    SMOOTHSTEP = "smoothstep"
    SQRT = "sqrt"
    STEP = "step"
    TAN = "tan"
    TANH = "tanh"
    TRANSPOSE = "transpose"
    TRUNC = "trunc"
    UNPACK2X16_FLOAT = "unpack2x16float"
    UNPACK2X16_SNORM = "unpack2x16snorm"
    UNPACK2X16_UNORM = "unpack2x16unorm"
    UNPACK4X8_SNORM = "unpack4x8snorm"
    UNPACK4X8_UNORM = "unpack4x8unorm"
    UNPACK4X_I8 = "unpack4xI8"
    UNPACK4X_U8 = "unpack4xU8"


class Shape(Enum):
    """What `T`, the type of the first argument, ranges over."""

    SCALAR_OR_VECTOR = "a scalar or vector of"
    VECTOR = "a vector of"
    VECTOR3 = "a vec3 of"
    MATRIX = "a matrix of"
    SQUARE = "a square matrix of"


class Like(Enum):
    """A parameter or result written in terms of `T`; the value is how messages spell it."""

    SAME = "T"
    COMPONENT = "component of T"
    I32 = "T with i32"
    BOOL = "T with bool"
    TRANSPOSED = "T transposed"
    FREXP = "frexp's result (fract, exp)"
    MODF = "modf's result (fract, whole)"


Form: TypeAlias = Like | Scalar | Vector


@dataclass(frozen=True, slots=True)
class Overload:
    """`(parameters) -> result` for every `T` of that shape over those component types; `T` is the first argument's type."""

    parameters: tuple[Form, ...]
    result: Form
    shape: Shape = Shape.SCALAR_OR_VECTOR
    scalars: tuple[Scalar, ...] = FLOATS


T = Like.SAME
S = Like.COMPONENT
ANY_SCALAR = (BOOL, *NUMERIC)

FLOAT_1 = (Overload((T,), T),)
FLOAT_2 = (Overload((T, T), T),)
FLOAT_3 = (Overload((T, T, T), T),)
NUMERIC_1 = (Overload((T,), T, scalars=NUMERIC),)
NUMERIC_2 = (Overload((T, T), T, scalars=NUMERIC),)
NUMERIC_3 = (Overload((T, T, T), T, scalars=NUMERIC),)
INTEGER_1 = (Overload((T,), T, scalars=INTEGERS),)
VECTOR_1 = (Overload((T,), T, Shape.VECTOR),)
VECTOR_2 = (Overload((T, T), T, Shape.VECTOR),)
VECTOR_3 = (Overload((T, T, T), T, Shape.VECTOR),)
TRUTH = (Overload((T,), BOOL, scalars=(BOOL,)),)


def fixed(parameters: tuple[Scalar | Vector, ...], result: Scalar | Vector) -> tuple[Overload, ...]:
    """One overload without `T`: the packing functions."""
    return (Overload(parameters, result),)


VEC2F, VEC4F, VEC4I, VEC4U = Vector(2, F32), Vector(4, F32), Vector(4, I32), Vector(4, U32)

OVERLOADS: dict[Builtin, tuple[Overload, ...]] = {
    Builtin.ABS: NUMERIC_1,
    Builtin.ACOS: FLOAT_1,
    Builtin.ACOSH: FLOAT_1,
    Builtin.ALL: TRUTH,
    Builtin.ANY: TRUTH,
    Builtin.ASIN: FLOAT_1,
    Builtin.ASINH: FLOAT_1,
    Builtin.ATAN: FLOAT_1,
    Builtin.ATAN2: FLOAT_2,
    Builtin.ATANH: FLOAT_1,
    Builtin.CEIL: FLOAT_1,
    Builtin.CLAMP: NUMERIC_3,
    Builtin.COS: FLOAT_1,
    Builtin.COSH: FLOAT_1,
    Builtin.COUNT_LEADING_ZEROS: INTEGER_1,
    Builtin.COUNT_ONE_BITS: INTEGER_1,
    Builtin.COUNT_TRAILING_ZEROS: INTEGER_1,
    Builtin.CROSS: (Overload((T, T), T, Shape.VECTOR3),),
    Builtin.DEGREES: FLOAT_1,
    Builtin.DETERMINANT: (Overload((T,), S, Shape.SQUARE),),
    Builtin.DISTANCE: (Overload((T, T), S),),
    Builtin.DOT: (Overload((T, T), S, Shape.VECTOR, NUMERIC),),
    Builtin.DOT4_I8_PACKED: fixed((U32, U32), I32),
    Builtin.DOT4_U8_PACKED: fixed((U32, U32), U32),
    Builtin.EXP: FLOAT_1,
    Builtin.EXP2: FLOAT_1,
    Builtin.EXTRACT_BITS: (Overload((T, U32, U32), T, scalars=INTEGERS),),
    Builtin.FACE_FORWARD: VECTOR_3,
    Builtin.FIRST_LEADING_BIT: INTEGER_1,
    Builtin.FIRST_TRAILING_BIT: INTEGER_1,
    Builtin.FLOOR: FLOAT_1,
    Builtin.FMA: FLOAT_3,
    Builtin.FRACT: FLOAT_1,
    Builtin.FREXP: (Overload((T,), Like.FREXP),),
    Builtin.INSERT_BITS: (Overload((T, T, U32, U32), T, scalars=INTEGERS),),
    Builtin.INVERSE_SQRT: FLOAT_1,
    Builtin.LDEXP: (Overload((T, Like.I32), T),),
    Builtin.LENGTH: (Overload((T,), S),),
    Builtin.LOG: FLOAT_1,
    Builtin.LOG2: FLOAT_1,
    Builtin.MAX: NUMERIC_2,
    Builtin.MIN: NUMERIC_2,
    Builtin.MIX: (Overload((T, T, T), T), Overload((T, T, S), T, Shape.VECTOR)),
    Builtin.MODF: (Overload((T,), Like.MODF),),
    Builtin.NORMALIZE: VECTOR_1,
    Builtin.PACK2X16_FLOAT: fixed((VEC2F,), U32),
    Builtin.PACK2X16_SNORM: fixed((VEC2F,), U32),
    Builtin.PACK2X16_UNORM: fixed((VEC2F,), U32),
    Builtin.PACK4X8_SNORM: fixed((VEC4F,), U32),
    Builtin.PACK4X8_UNORM: fixed((VEC4F,), U32),
    Builtin.PACK4X_I8: fixed((VEC4I,), U32),
    Builtin.PACK4X_I8_CLAMP: fixed((VEC4I,), U32),
    Builtin.PACK4X_U8: fixed((VEC4U,), U32),
    Builtin.PACK4X_U8_CLAMP: fixed((VEC4U,), U32),
    Builtin.POW: FLOAT_2,
    Builtin.QUANTIZE_TO_F16: (Overload((T,), T, scalars=(F32,)),),
    Builtin.RADIANS: FLOAT_1,
    Builtin.REFLECT: VECTOR_2,
    Builtin.REFRACT: (Overload((T, T, S), T, Shape.VECTOR),),
    Builtin.REVERSE_BITS: INTEGER_1,
    Builtin.ROUND: FLOAT_1,
    Builtin.SATURATE: FLOAT_1,
    Builtin.SELECT: (
        Overload((T, T, BOOL), T, scalars=ANY_SCALAR),
        Overload((T, T, Like.BOOL), T, Shape.VECTOR, ANY_SCALAR),
    ),
    Builtin.SIGN: (Overload((T,), T, scalars=(I32, *FLOATS)),),
    Builtin.SIN: FLOAT_1,
    Builtin.SINH: FLOAT_1,
    Builtin.SMOOTHSTEP: FLOAT_3,
    Builtin.SQRT: FLOAT_1,
    Builtin.STEP: FLOAT_2,
    Builtin.TAN: FLOAT_1,
    Builtin.TANH: FLOAT_1,
    Builtin.TRANSPOSE: (Overload((T,), Like.TRANSPOSED, Shape.MATRIX),),
    Builtin.TRUNC: FLOAT_1,
    Builtin.UNPACK2X16_FLOAT: fixed((U32,), VEC2F),
    Builtin.UNPACK2X16_SNORM: fixed((U32,), VEC2F),
    Builtin.UNPACK2X16_UNORM: fixed((U32,), VEC2F),
    Builtin.UNPACK4X8_SNORM: fixed((U32,), VEC4F),
    Builtin.UNPACK4X8_UNORM: fixed((U32,), VEC4F),
    Builtin.UNPACK4X_I8: fixed((U32,), VEC4I),
    Builtin.UNPACK4X_U8: fixed((U32,), VEC4U),
}


def result_type(builtin: Builtin, arguments: Sequence[Type]) -> Type | None:
    """The type of the call, or None where no overload takes these arguments."""
    given = tuple(arguments)
    for overload in OVERLOADS[builtin]:
        if accepts(overload, given):
            return resolve(overload.result, given[0])
    return None


def accepts(overload: Overload, given: tuple[Type, ...]) -> bool:
    """Whether the arguments are the overload's, with `T` the type of the first."""
    if len(given) != len(overload.parameters):
        return False
    if overload.parameters[0] is T and not ranges_over(overload, given[0]):
        return False
    return all(resolve(form, given[0]) == argument for form, argument in zip(overload.parameters, given))


def ranges_over(overload: Overload, type: Type) -> bool:
    """Whether `type` may stand for the overload's `T`."""
    if scalar_of(type) not in overload.scalars:
        return False
    match overload.shape:
        case Shape.SCALAR_OR_VECTOR:
            return isinstance(type, Scalar | Vector)
        case Shape.VECTOR:
            return isinstance(type, Vector)
        case Shape.VECTOR3:
            return isinstance(type, Vector) and type.size == 3
        case Shape.MATRIX:
            return isinstance(type, Matrix)
        case Shape.SQUARE:
            return isinstance(type, Matrix) and type.columns == type.rows
        case _:
            assert_never(overload.shape)


def resolve(form: Form, bound: Type) -> Type | None:
    """The type that a parameter or result has when `T` is `bound`."""
    match form:
        case Scalar() | Vector():
            return form
        case Like.SAME:
            return bound
        case Like.COMPONENT:
            return scalar_of(bound)
        case Like.I32:
            return with_scalar(bound, I32)
        case Like.BOOL:
            return with_scalar(bound, BOOL)
        case Like.TRANSPOSED:
            return Matrix(bound.rows, bound.columns, bound.scalar) if isinstance(bound, Matrix) else None
        case Like.FREXP:
            return predeclared("frexp", bound, Member("fract", bound), Member("exp", with_scalar(bound, I32)))
        case Like.MODF:
            return predeclared("modf", bound, Member("fract", bound), Member("whole", bound))
        case _:
            assert_never(form)


def predeclared(function: str, bound: Type, *members: Member) -> Struct:
    """The structure that frexp and modf give, named as the specification names it: `__frexp_result_vec2_f32`."""
    size = f"vec{bound.size}_" if isinstance(bound, Vector) else ""
    return Struct(f"__{function}_result_{size}{scalar_of(bound)}", members, builtin=True)


def describe_overloads(builtin: Builtin) -> str:
    """Every overload in words, for error messages: `ldexp(T, T with i32) -> T, where T is ...`."""
    return "; ".join(describe(builtin, overload) for overload in OVERLOADS[builtin])


def describe(builtin: Builtin, overload: Overload) -> str:
    """One overload in words."""
    head = f"{builtin.value}({', '.join(map(spell, overload.parameters))}) -> {spell(overload.result)}"
    if overload.parameters[0] is not T:
        return head
    return f"{head}, where T is {overload.shape.value} {', '.join(map(str, overload.scalars))}"


def spell(form: Form) -> str:
    """A form as messages write it."""
    return form.value if isinstance(form, Like) else str(form)
