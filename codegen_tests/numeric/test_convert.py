"""Conversions and reinterpretations."""

from __future__ import annotations

import numpy as np
import pytest

from shaderdsl.errors import InternalError
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Matrix, Scalar, Type, Vector
from shaderdsl.numeric.convert import bitcast, convert
from shaderdsl.numeric.values import DTYPES

INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("source", "target", "values", "expected"),
    [
        (
            F32,
            I32,
            [3e9, -3e9, INF, -INF, NAN, 1.9, -1.9, 2147483520.0],
            [2147483520, -(2**31), 2147483520, -(2**31), 0, 1, -1, 2147483520],
        ),
        (F32, U32, [5e9, -1, INF, NAN, 0.99, 4294967040.0], [4294967040, 0, 4294967040, 0, 0, 4294967040]),
        (F16, I32, [INF, -INF, NAN, -2.5], [65504, -65504, 0, -2]),
        (F16, U32, [INF, -INF, 2.5], [65504, 0, 2]),
        (F32, BOOL, [0.0, -0.0, 1e-45, NAN], [False, False, True, True]),
        (I32, BOOL, [0, -1], [False, True]),
        (BOOL, F16, [True, False], [1.0, 0.0]),
        (BOOL, U32, [True, False], [1, 0]),
        (I32, U32, [-1, 5], [2**32 - 1, 5]),
        (U32, I32, [2**32 - 1, 2**31], [-1, -(2**31)]),
        (I32, F32, [2**24 + 1, 2**24 + 3, -(2**31)], [2.0**24, 2.0**24 + 4, -(2.0**31)]),
        (U32, F32, [2**32 - 1], [2.0**32]),
        (I32, F16, [2049, 2051, 70000, -65519], [2048.0, 2052.0, INF, -65504.0]),
        (F32, F16, [65519.0, 65520.0, 2.0**-25, 2.0**-24], [65504.0, INF, 0.0, 2.0**-24]),
        (F16, F32, [0.0999755859375], [0.0999755859375]),
    ],
)
def test_convert(source: Scalar, target: Scalar, values: list[float], expected: list[float]) -> None:
    got = convert(np.array(values).astype(DTYPES[source]), source, target)
    assert got.dtype == DTYPES[target]
    assert got.tolist() == expected


def test_an_integer_reaches_f16_with_one_rounding() -> None:
    """2^24 + 1 times a tie of f16 would round twice through float32: here every integer beside a tie."""
    ties = np.array([k * 32 + 16 + d for k in range(1024, 2047) for d in (-1, 0, 1)], np.int32)
    exact = [float(round(x / 32) * 32) for x in ties.tolist()]
    assert convert(ties, I32, F16).tolist() == [x if x < 65520 else INF for x in exact]


def test_vectors_convert_by_component() -> None:
    got = convert(np.array([[1.5, -2.5], [3e9, NAN]], np.float32), Vector(2, F32), Vector(2, I32))
    assert got.tolist() == [[1, -2], [2147483520, 0]]


@pytest.mark.parametrize(
    ("source", "target"), [(Vector(2, F32), Vector(3, F32)), (F32, Vector(2, F32)), (Matrix(2, 2, F32), F32)]
)
def test_shapes_must_agree(source: Type, target: Type) -> None:
    with pytest.raises(InternalError, match="no conversion from"):
        convert(np.zeros((1, 2), np.float32), source, target)


@pytest.mark.parametrize(
    ("source", "target", "value", "expected"),
    [
        (F32, U32, [1.0, -0.0, INF], [0x3F800000, 0x80000000, 0x7F800000]),
        (I32, F32, [0x40490FDB], [float(np.float32(np.pi))]),
        (U32, I32, [2**32 - 1], [-1]),
        (Vector(2, F16), U32, [[1.0, -2.0]], [0xC0003C00]),
        (U32, Vector(2, F16), [0xC0003C00], [[1.0, -2.0]]),
        (Vector(4, F16), Vector(2, U32), [[1.0, -2.0, 0.0, 1.0]], [[0xC0003C00, 0x3C000000]]),
        (Vector(2, U32), Vector(4, F16), [[0xC0003C00, 0x3C000000]], [[1.0, -2.0, 0.0, 1.0]]),
        (Vector(3, F32), Vector(3, U32), [[1.0, 2.0, 0.5]], [[0x3F800000, 0x40000000, 0x3F000000]]),
        (F16, F16, [1.5], [1.5]),
    ],
)
def test_bitcast(source: Type, target: Type, value: list[float], expected: list[float]) -> None:
    scalar = source.scalar if isinstance(source, Vector) else source
    assert isinstance(scalar, Scalar)
    got = bitcast(np.array(value).astype(DTYPES[scalar]), source, target)
    assert got.tolist() == expected


def test_bitcast_keeps_the_batch_and_every_pattern() -> None:
    bits = np.arange(65536, dtype=np.uint32).reshape(256, 256) * np.uint32(65537)
    assert np.array_equal(bitcast(bitcast(bits, U32, Vector(2, F16)), Vector(2, F16), U32), bits)
    broadcast = np.broadcast_to(np.float32(1), (3, 2))
    assert bitcast(broadcast, F32, U32).tolist() == [[0x3F800000] * 2] * 3
    assert bitcast(np.array(1, np.float32), F32, U32).shape == ()


@pytest.mark.parametrize(
    ("source", "target"), [(F32, F16), (BOOL, U32), (Vector(2, F32), U32), (Matrix(2, 2, F32), Vector(4, F32))]
)
def test_bitcast_needs_equal_sizes(source: Type, target: Type) -> None:
    with pytest.raises(InternalError, match="no bitcast"):
        bitcast(np.zeros((1, 2, 2), np.float32), source, target)
