"""Integer operators and bit builtins on all pairs of edge values, against Python's integers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import I32, U32, Scalar
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.operators import binary, unary
from shaderdsl.numeric.values import DTYPES, Array

EDGES = [0, 1, 2, 3, 5, 7, 31, 32, 33, 255, 65535, 65536, 2**24 - 1, 2**24 + 1, 2**30, 2**31 - 2, 2**31 - 1]
SIGNED = EDGES + [-x for x in EDGES if x] + [-(2**31)]
UNSIGNED = [*EDGES, 2**31, 2**31 + 1, 0xAAAAAAAA, 0xFFFFFFFE, 0xFFFFFFFF]
VALUES: dict[Scalar, list[int]] = {I32: SIGNED, U32: UNSIGNED}
BOTH = pytest.mark.parametrize("scalar", [I32, U32], ids=str)


def wrap(x: int, scalar: Scalar) -> int:
    """x modulo 2^32, as the type's number."""
    x &= 0xFFFFFFFF
    return x - 2**32 if scalar == I32 and x >= 2**31 else x


def quotient(x: int, y: int) -> int:
    if y == 0:
        return x
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def rest(x: int, y: int) -> int:
    return 0 if y == 0 else x - y * quotient(x, y)


PYTHON_OPERATORS: dict[BinaryOp, Callable[[int, int], int | bool]] = {
    BinaryOp.ADD: lambda x, y: x + y,
    BinaryOp.SUB: lambda x, y: x - y,
    BinaryOp.MUL: lambda x, y: x * y,
    BinaryOp.DIV: quotient,
    BinaryOp.REM: rest,
    BinaryOp.AND: lambda x, y: x & y,
    BinaryOp.OR: lambda x, y: x | y,
    BinaryOp.XOR: lambda x, y: x ^ y,
    BinaryOp.SHL: lambda x, y: x << (y & 31),
    BinaryOp.SHR: lambda x, y: x >> (y & 31),
    BinaryOp.EQ: lambda x, y: x == y,
    BinaryOp.NE: lambda x, y: x != y,
    BinaryOp.LT: lambda x, y: x < y,
    BinaryOp.LE: lambda x, y: x <= y,
    BinaryOp.GT: lambda x, y: x > y,
    BinaryOp.GE: lambda x, y: x >= y,
}
"""Every operator of integers in Python, before wrapping."""


def pairs(left: list[int], right: list[int]) -> list[tuple[int, int]]:
    return [(x, y) for x in left for y in right]


def array(values: list[int], scalar: Scalar) -> Array:
    return np.array(values, dtype=DTYPES[scalar])


@BOTH
@pytest.mark.parametrize("op", PYTHON_OPERATORS, ids=lambda op: op.name)
def test_operators(op: BinaryOp, scalar: Scalar) -> None:
    right_type = U32 if op in (BinaryOp.SHL, BinaryOp.SHR) else scalar
    cases = pairs(VALUES[scalar], VALUES[right_type])
    got = binary(op, array([x for x, _ in cases], scalar), array([y for _, y in cases], right_type), scalar, right_type)
    meaning = PYTHON_OPERATORS[op]
    expected = [
        value if isinstance(value, bool) else wrap(value, scalar) for value in (meaning(x, y) for x, y in cases)
    ]
    assert got.tolist() == expected
    assert got.dtype == (np.bool_ if isinstance(expected[0], bool) else DTYPES[scalar])


def test_flooring_would_be_found() -> None:
    """The check can fail: Python's own division differs on these values."""
    assert any(quotient(x, y) != x // y for x, y in pairs(SIGNED, SIGNED) if y)


@BOTH
def test_unary(scalar: Scalar) -> None:
    values = VALUES[scalar]
    assert unary(UnaryOp.COMPLEMENT, array(values, scalar), scalar).tolist() == [wrap(~x, scalar) for x in values]
    assert unary(UnaryOp.NEGATE, array(SIGNED, I32), I32).tolist() == [wrap(-x, I32) for x in SIGNED]


def highest(x: int) -> int:
    """The position of the highest bit that differs from the sign; -1 where none does."""
    return (~x if x < 0 else x).bit_length() - 1


def trailing(x: int) -> int:
    return ((x & -x).bit_length() - 1) if x else 32


PYTHON_BITS: dict[Builtin, Callable[[int], int]] = {
    Builtin.COUNT_ONE_BITS: lambda x: (x & 0xFFFFFFFF).bit_count(),
    Builtin.COUNT_LEADING_ZEROS: lambda x: 32 - (x & 0xFFFFFFFF).bit_length(),
    Builtin.COUNT_TRAILING_ZEROS: trailing,
    Builtin.FIRST_LEADING_BIT: highest,
    Builtin.FIRST_TRAILING_BIT: lambda x: trailing(x) if x else -1,
    Builtin.REVERSE_BITS: lambda x: int(f"{x & 0xFFFFFFFF:032b}"[::-1], 2),
    Builtin.ABS: abs,
}


@BOTH
@pytest.mark.parametrize("builtin", PYTHON_BITS, ids=lambda builtin: builtin.value)
def test_bit_builtins(builtin: Builtin, scalar: Scalar) -> None:
    values = VALUES[scalar]
    got = np.asarray(call(builtin, (array(values, scalar),), (scalar,), scalar))
    assert got.tolist() == [wrap(PYTHON_BITS[builtin](x), scalar) for x in values]
    assert got.dtype == DTYPES[scalar]


FIELDS = [
    (offset, count) for offset in (0, 1, 5, 31, 32, 33, 2**32 - 1) for count in (0, 1, 4, 27, 31, 32, 33, 2**32 - 1)
]


def extracted(x: int, offset: int, count: int, scalar: Scalar) -> int:
    start = min(offset, 32)
    size = min(count, 32 - start)
    found = ((x & 0xFFFFFFFF) >> start) & (2**size - 1)
    return found - 2**size if scalar == I32 and size and found >> (size - 1) else found


def inserted(x: int, new: int, offset: int, count: int) -> int:
    start = min(offset, 32)
    mask = (2 ** min(count, 32 - start) - 1) << start
    return (x & ~mask) | ((new << start) & mask)


@BOTH
def test_fields(scalar: Scalar) -> None:
    cases = [(x, offset, count) for x in VALUES[scalar] for offset, count in FIELDS]
    word, offsets, counts = (np.array(column) for column in zip(*cases, strict=True))
    given = word.astype(DTYPES[scalar]), offsets.astype(np.uint32), counts.astype(np.uint32)
    got = np.asarray(call(Builtin.EXTRACT_BITS, given, (scalar, U32, U32), scalar))
    assert got.tolist() == [extracted(x, offset, count, scalar) for x, offset, count in cases]
    new = np.full_like(given[0], 0x5A5A5A5A)
    got = np.asarray(call(Builtin.INSERT_BITS, (given[0], new, *given[1:]), (scalar, scalar, U32, U32), scalar))
    assert got.tolist() == [wrap(inserted(x, 0x5A5A5A5A, offset, count), scalar) for x, offset, count in cases]
