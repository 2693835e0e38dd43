"""The overload table: complete, and right where it is easy to be wrong."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from shaderdsl.ir.accuracy import ACCURACY, EXACT
from shaderdsl.ir.builtins import OVERLOADS, Builtin, describe_overloads, result_type
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Matrix, Scalar, Struct, Type, Vector

V2, V3, V4, H2 = Vector(2, F32), Vector(3, F32), Vector(4, F32), Vector(2, F16)
V2I, V3B = Vector(2, I32), Vector(3, BOOL)


def missing(table: Collection[object]) -> set[Builtin]:
    """Builtins that a table has forgotten."""
    return {builtin for builtin in Builtin if builtin not in table}


def test_overloads_and_accuracy_cover_the_enum() -> None:
    assert missing(OVERLOADS) == set()
    assert missing([*ACCURACY, *EXACT]) == set()
    assert not EXACT & ACCURACY.keys()


def test_a_forgotten_row_is_found() -> None:
    assert missing([builtin for builtin in OVERLOADS if builtin is not Builtin.EXP]) == {Builtin.EXP}


@pytest.mark.parametrize(
    ("builtin", "arguments", "result"),
    [
        (Builtin.ABS, (U32,), U32),
        (Builtin.ABS, (BOOL,), None),
        (Builtin.ABS, (Matrix(2, 2, F32),), None),
        (Builtin.SIGN, (U32,), None),
        (Builtin.SIN, (H2,), H2),
        (Builtin.SIN, (I32,), None),
        (Builtin.CLAMP, (V3, V3, V3), V3),
        (Builtin.CLAMP, (V3, F32, F32), None),
        (Builtin.CLAMP, (F32, F32), None),
        (Builtin.MIX, (V3, V3, F32), V3),
        (Builtin.MIX, (V3, V3, V3), V3),
        (Builtin.MIX, (V3, V3, F16), None),
        (Builtin.SELECT, (V3, V3, BOOL), V3),
        (Builtin.SELECT, (V3, V3, V3B), V3),
        (Builtin.SELECT, (V2, V2, V3B), None),
        (Builtin.SELECT, (BOOL, BOOL, BOOL), BOOL),
        (Builtin.SELECT, (F32, I32, BOOL), None),
        (Builtin.ALL, (V3B,), BOOL),
        (Builtin.ANY, (BOOL,), BOOL),
        (Builtin.ANY, (I32,), None),
        (Builtin.DOT, (V2I, V2I), I32),
        (Builtin.DOT, (F32, F32), None),
        (Builtin.CROSS, (V3, V3), V3),
        (Builtin.CROSS, (V4, V4), None),
        (Builtin.LENGTH, (F32,), F32),
        (Builtin.DISTANCE, (H2, H2), F16),
        (Builtin.NORMALIZE, (F32,), None),
        (Builtin.REFRACT, (V3, V3, F32), V3),
        (Builtin.REFRACT, (V3, V3, V3), None),
        (Builtin.LDEXP, (V2, V2I), V2),
        (Builtin.LDEXP, (V2, I32), None),
        (Builtin.EXTRACT_BITS, (V2I, U32, U32), V2I),
        (Builtin.INSERT_BITS, (I32, I32, U32, I32), None),
        (Builtin.TRANSPOSE, (Matrix(2, 3, F16),), Matrix(3, 2, F16)),
        (Builtin.DETERMINANT, (Matrix(3, 3, F32),), F32),
        (Builtin.DETERMINANT, (Matrix(2, 3, F32),), None),
        (Builtin.QUANTIZE_TO_F16, (V2,), V2),
        (Builtin.QUANTIZE_TO_F16, (F16,), None),
        (Builtin.PACK4X8_SNORM, (V4,), U32),
        (Builtin.PACK4X8_SNORM, (V2,), None),
        (Builtin.PACK4X_I8, (Vector(4, I32),), U32),
        (Builtin.UNPACK2X16_FLOAT, (U32,), V2),
        (Builtin.UNPACK2X16_FLOAT, (I32,), None),
        (Builtin.DOT4_I8_PACKED, (U32, U32), I32),
        (Builtin.EXP, (), None),
    ],
)
def test_result_type(builtin: Builtin, arguments: tuple[Type, ...], result: Type | None) -> None:
    assert result_type(builtin, arguments) == result


@pytest.mark.parametrize(
    ("builtin", "argument", "name", "members"),
    [
        (Builtin.FREXP, F32, "__frexp_result_f32", (("fract", F32), ("exp", I32))),
        (Builtin.FREXP, H2, "__frexp_result_vec2_f16", (("fract", H2), ("exp", V2I))),
        (Builtin.MODF, V3, "__modf_result_vec3_f32", (("fract", V3), ("whole", V3))),
    ],
)
def test_predeclared_structures(
    builtin: Builtin, argument: Type, name: str, members: tuple[tuple[str, Scalar | Vector], ...]
) -> None:
    result = result_type(builtin, (argument,))
    assert isinstance(result, Struct)
    assert (result.name, result.builtin) == (name, True)
    assert tuple((member.name, member.type) for member in result.members) == members


@pytest.mark.parametrize(
    ("builtin", "text"),
    [
        (Builtin.SATURATE, "saturate(T) -> T, where T is a scalar or vector of f32, f16"),
        (Builtin.DOT4_U8_PACKED, "dot4U8Packed(u32, u32) -> u32"),
        (
            Builtin.MIX,
            "mix(T, T, T) -> T, where T is a scalar or vector of f32, f16; mix(T, T, component of T) -> T, where T is a vector of f32, f16",
        ),
    ],
)
def test_describe_overloads(builtin: Builtin, text: str) -> None:
    assert describe_overloads(builtin) == text
