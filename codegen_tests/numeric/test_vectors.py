"""Vectors are their components, matrices are linear algebra, packing is the specification's formula."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shaderdsl.ir.builtins import OVERLOADS, Builtin, Like, result_type
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Matrix, Scalar, Type, Vector
from shaderdsl.numeric.builtins import MEANINGS, call
from shaderdsl.numeric.operators import BINARY, UNARY, binary
from shaderdsl.numeric.values import DTYPES, Array

COMPONENTWISE = [
    b
    for b, rows in OVERLOADS.items()
    if set(rows[0].parameters) <= {Like.SAME, Like.I32, U32} and rows[0].result is Like.SAME
]
VECTORS_ONLY = {Builtin.CROSS, Builtin.NORMALIZE, Builtin.FACE_FORWARD, Builtin.REFLECT}


def numbers(scalar: Scalar, shape: tuple[int, ...], seed: int) -> Array:
    random = np.random.default_rng(seed)
    if scalar == BOOL:
        return random.random(shape) < 0.5
    if scalar in (I32, U32):
        return random.integers(0, 40, shape).astype(DTYPES[scalar])
    return random.uniform(0.1, 0.9, shape).astype(DTYPES[scalar])


@pytest.mark.parametrize("builtin", [b for b in COMPONENTWISE if b not in VECTORS_ONLY], ids=lambda b: b.value)
def test_a_vector_is_its_components(builtin: Builtin) -> None:
    overload = OVERLOADS[builtin][0]
    scalar = overload.scalars[0]
    forms = [U32 if form == U32 else I32 if form is Like.I32 else scalar for form in overload.parameters]
    shared = [form == U32 for form in overload.parameters]
    columns = [numbers(s, (5,) if alone else (5, 3), seed) for seed, (s, alone) in enumerate(zip(forms, shared))]
    types: list[Type] = [s if alone else Vector(3, s) for s, alone in zip(forms, shared)]
    whole = np.asarray(call(builtin, columns, types, Vector(3, scalar)))
    for k in range(3):
        parts = [column if alone else column[:, k] for column, alone in zip(columns, shared)]
        np.testing.assert_array_equal(np.asarray(call(builtin, parts, forms, scalar)), whole[:, k])


def test_mixed_operands_broadcast_over_components_and_batches() -> None:
    vector, scalar = numbers(F32, (4, 3), 1), numbers(F32, (4,), 2)
    got = binary(BinaryOp.SUB, scalar, vector, F32, Vector(3, F32))
    assert np.array_equal(got, scalar[:, None] - vector)
    one = binary(BinaryOp.MUL, vector, np.array([2], np.float32), Vector(3, F32), F32)
    assert np.array_equal(one, vector * 2)
    nothing = binary(BinaryOp.ADD, np.array(1, np.int32), np.array(2, np.int32), I32, I32)
    assert (nothing.shape, nothing.dtype) == ((), np.int32)
    blend = np.asarray(
        call(Builtin.MIX, (vector, vector + 1, scalar), (Vector(3, F32), Vector(3, F32), F32), Vector(3, F32))
    )
    np.testing.assert_allclose(blend, vector + scalar[:, None], rtol=1e-6)


def test_select_and_truth() -> None:
    left, right = np.array([[1, 2], [3, 4]], np.int32), np.array([[5, 6], [7, 8]], np.int32)
    types: tuple[Type, ...] = (Vector(2, I32), Vector(2, I32), BOOL)
    assert np.asarray(call(Builtin.SELECT, (left, right, np.array([True, False])), types, types[0])).tolist() == [
        [5, 6],
        [3, 4],
    ]
    lanes = np.array([[True, False], [True, True]])
    assert np.asarray(call(Builtin.SELECT, (left, right, lanes), (*types[:2], Vector(2, BOOL)), types[0])).tolist() == [
        [1 + 4, 2],
        [7, 8],
    ]
    assert np.asarray(call(Builtin.ALL, (lanes,), (Vector(2, BOOL),), BOOL)).tolist() == [False, True]
    assert np.asarray(call(Builtin.ANY, (lanes,), (Vector(2, BOOL),), BOOL)).tolist() == [True, True]
    assert np.asarray(call(Builtin.ALL, (lanes[:, 1],), (BOOL,), BOOL)).tolist() == [False, True]


@pytest.mark.parametrize("scalar", [F32, F16], ids=str)
@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (4, 2), (3, 3)])
def test_matrix_products_are_those_of_float64(columns: int, rows: int, scalar: Scalar) -> None:
    m, other = numbers(scalar, (5, columns, rows), 3), numbers(scalar, (5, 4, columns), 4)
    v, w = numbers(scalar, (5, columns), 5), numbers(scalar, (5, rows), 6)
    wide = m.astype(np.float64).swapaxes(1, 2)  # as mathematics writes it: rows first
    kind, dtype = Matrix(columns, rows, scalar), DTYPES[scalar]
    got = binary(BinaryOp.MUL, m, v, kind, Vector(columns, scalar))
    assert np.array_equal(got, np.einsum("brc,bc->br", wide, v.astype(float)).astype(dtype))
    got = binary(BinaryOp.MUL, w, m, Vector(rows, scalar), kind)
    assert np.array_equal(got, np.einsum("br,brc->bc", w.astype(float), wide).astype(dtype))
    got = binary(BinaryOp.MUL, m, other, kind, Matrix(4, columns, scalar))
    product = np.matmul(wide, other.astype(np.float64).swapaxes(1, 2)).astype(dtype)
    assert np.array_equal(got, product.swapaxes(1, 2))
    assert got.dtype == dtype
    assert np.array_equal(binary(BinaryOp.MUL, v[:, 0], m, scalar, kind), v[:, 0, None, None] * m)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_determinant_and_transpose(size: int) -> None:
    m, kind = numbers(F32, (6, size, size), 9), Matrix(size, size, F32)
    expected = np.linalg.det(m.astype(np.float64))
    np.testing.assert_allclose(
        np.asarray(call(Builtin.DETERMINANT, (m,), (kind,), F32)), expected, rtol=1e-6, atol=1e-8
    )
    assert np.array_equal(np.asarray(call(Builtin.TRANSPOSE, (m,), (kind,), kind)), m.swapaxes(1, 2))


def vector_call(builtin: Builtin, *rows: list[float], scalar: Scalar = F32) -> Any:
    """A builtin on single vectors (or scalars, given as one number)."""
    arrays = [np.array([row[0] if len(row) == 1 else row], dtype=DTYPES[scalar]) for row in rows]
    types: list[Type] = [scalar if len(row) == 1 else Vector(len(row), scalar) for row in rows]
    result = result_type(builtin, types)
    assert result is not None
    return np.asarray(call(builtin, arrays, types, result))[0].tolist()


@pytest.mark.parametrize(
    ("builtin", "rows", "expected"),
    [
        (Builtin.LENGTH, [[3.0, 4.0]], 5.0),
        (Builtin.LENGTH, [[-2.0]], 2.0),
        (Builtin.LENGTH, [[3e30, 4e30]], float(np.float32(5e30))),
        (Builtin.DISTANCE, [[1.0, 1.0], [4.0, 5.0]], 5.0),
        (Builtin.DISTANCE, [[1.0], [4.0]], 3.0),
        (Builtin.DOT, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], 32.0),
        (Builtin.CROSS, [[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], [-1.0, 5.0, -3.0]),
        (Builtin.NORMALIZE, [[0.0, 3.0, 4.0]], [0.0, float(np.float32(0.6)), float(np.float32(0.8))]),
        (Builtin.FACE_FORWARD, [[1.0, 2.0], [1.0, 0.0], [-1.0, 0.0]], [1.0, 2.0]),
        (Builtin.FACE_FORWARD, [[1.0, 2.0], [1.0, 0.0], [1.0, 0.0]], [-1.0, -2.0]),
        (Builtin.REFLECT, [[1.0, -1.0], [0.0, 1.0]], [1.0, 1.0]),
        (Builtin.REFRACT, [[0.0, -1.0], [0.0, 1.0], [0.5]], [0.0, -1.0]),
        (Builtin.REFRACT, [[1.0, 0.0], [0.0, 1.0], [2.0]], [0.0, 0.0]),
    ],
)
def test_geometry(builtin: Builtin, rows: list[list[float]], expected: Any) -> None:
    assert vector_call(builtin, *rows) == expected


def test_integer_dot_wraps() -> None:
    assert vector_call(Builtin.DOT, [2**16, 1], [2**15, 2], scalar=I32) == -(2**31) + 2


def packed(builtin: Builtin, components: list[float], scalar: Scalar) -> int:
    value = np.array([components]).astype(DTYPES[scalar])
    return int(np.asarray(call(builtin, (value,), (Vector(len(components), scalar),), U32))[0])


@pytest.mark.parametrize(
    ("builtin", "scalar", "components", "expected"),
    [
        (Builtin.PACK4X8_UNORM, F32, [0.0, 1.0, 2.0, 0.5], 0x80FFFF00),
        (Builtin.PACK4X8_SNORM, F32, [-1.0, 1.0, -2.0, float("nan")], 0x81817F81),
        (Builtin.PACK2X16_UNORM, F32, [1.0, 0.5], 0x8000FFFF),
        (Builtin.PACK2X16_SNORM, F32, [-1.0, 0.5], 0x40008001),
        (Builtin.PACK2X16_FLOAT, F32, [1.0, -2.0], 0xC0003C00),
        (Builtin.PACK4X_I8, I32, [-1, 127, 128, -129], 0x7F807FFF),
        (Builtin.PACK4X_I8_CLAMP, I32, [-1, 127, 128, -129], 0x807F7FFF),
        (Builtin.PACK4X_U8, U32, [1, 255, 256, 511], 0xFF00FF01),
        (Builtin.PACK4X_U8_CLAMP, U32, [1, 255, 256, 511], 0xFFFFFF01),
    ],
)
def test_packing(builtin: Builtin, scalar: Scalar, components: list[float], expected: int) -> None:
    assert packed(builtin, components, scalar) == expected


@pytest.mark.parametrize(
    ("builtin", "word", "expected"),
    [
        (Builtin.UNPACK4X8_UNORM, 0x80FFFF00, [0.0, 1.0, 1.0, float(np.float32(128 / 255))]),
        (Builtin.UNPACK4X8_SNORM, 0x80817F00, [0.0, 1.0, -1.0, -1.0]),
        (Builtin.UNPACK2X16_UNORM, 0xFFFF0000, [0.0, 1.0]),
        (Builtin.UNPACK2X16_SNORM, 0x80007FFF, [1.0, -1.0]),
        (Builtin.UNPACK2X16_FLOAT, 0xC0003C00, [1.0, -2.0]),
        (Builtin.UNPACK4X_I8, 0x7F80FF01, [1, -1, -128, 127]),
        (Builtin.UNPACK4X_U8, 0x7F80FF01, [1, 255, 128, 127]),
    ],
)
def test_unpacking(builtin: Builtin, word: int, expected: list[float]) -> None:
    result = result_type(builtin, (U32,))
    assert isinstance(result, Vector)
    got = np.asarray(call(builtin, (np.array([word], np.uint32),), (U32,), result))
    assert got[0].tolist() == expected
    assert got.dtype == DTYPES[result.scalar]


def test_packed_dots() -> None:
    words = np.array([0xFF80017F], np.uint32), np.array([0x02037F7F], np.uint32)
    assert np.asarray(call(Builtin.DOT4_I8_PACKED, words, (U32, U32), I32)).tolist() == [127 * 127 + 127 - 128 * 3 - 2]
    assert np.asarray(call(Builtin.DOT4_U8_PACKED, words, (U32, U32), U32)).tolist() == [
        127 * 127 + 127 + 128 * 3 + 255 * 2
    ]


def test_tables_cover_their_enums() -> None:
    assert set(MEANINGS) == set(Builtin)
    assert set(BINARY) == set(BinaryOp)
    assert len(UNARY) == 3
    assert set(Builtin) != set(MEANINGS) - {Builtin.EXP}  # a missing row shows
