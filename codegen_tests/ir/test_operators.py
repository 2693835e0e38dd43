"""The types that operators give."""

from __future__ import annotations

import pytest

from shaderdsl.ir.operators import (
    ARITHMETIC,
    BITWISE,
    COMPARISONS,
    LOGICAL,
    SHIFTS,
    BinaryOp,
    UnaryOp,
    binary_result,
    unary_result,
)
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Array, Matrix, Type, Vector

V2, V3, V2U, V2I, V2B = Vector(2, F32), Vector(3, F32), Vector(2, U32), Vector(2, I32), Vector(2, BOOL)
M23, M32, M22 = Matrix(2, 3, F32), Matrix(3, 2, F32), Matrix(2, 2, F32)


def test_families_partition_the_enum() -> None:
    families = [ARITHMETIC, BITWISE, SHIFTS, COMPARISONS, LOGICAL]
    assert sorted(op.value for family in families for op in family) == sorted(op.value for op in BinaryOp)


@pytest.mark.parametrize(
    ("op", "left", "right", "result"),
    [
        (BinaryOp.ADD, F32, F32, F32),
        (BinaryOp.ADD, F32, F16, None),
        (BinaryOp.ADD, I32, U32, None),
        (BinaryOp.ADD, BOOL, BOOL, None),
        (BinaryOp.ADD, V2, F32, V2),
        (BinaryOp.DIV, F32, V2, V2),
        (BinaryOp.REM, V2I, I32, V2I),
        (BinaryOp.ADD, V2, V3, None),
        (BinaryOp.ADD, V2, I32, None),
        (BinaryOp.ADD, Array(F32, 2), Array(F32, 2), None),
        (BinaryOp.ADD, M23, M23, M23),
        (BinaryOp.SUB, M23, M32, None),
        (BinaryOp.ADD, M23, F32, None),
        (BinaryOp.DIV, M22, M22, None),
        (BinaryOp.MUL, M23, F32, M23),
        (BinaryOp.MUL, F32, M23, M23),
        (BinaryOp.MUL, M23, V2, V3),
        (BinaryOp.MUL, M23, V3, None),
        (BinaryOp.MUL, V3, M23, V2),
        (BinaryOp.MUL, V2, M23, None),
        (BinaryOp.MUL, M23, M32, Matrix(3, 3, F32)),
        (BinaryOp.MUL, M32, M23, Matrix(2, 2, F32)),
        (BinaryOp.MUL, M23, M23, None),
        (BinaryOp.AND, BOOL, BOOL, BOOL),
        (BinaryOp.OR, V2B, V2B, V2B),
        (BinaryOp.XOR, BOOL, BOOL, None),
        (BinaryOp.XOR, U32, U32, U32),
        (BinaryOp.AND, F32, F32, None),
        (BinaryOp.AND, V2U, U32, None),
        (BinaryOp.SHL, I32, U32, I32),
        (BinaryOp.SHL, I32, I32, None),
        (BinaryOp.SHR, V2I, V2U, V2I),
        (BinaryOp.SHR, V2I, U32, None),
        (BinaryOp.SHL, F32, U32, None),
        (BinaryOp.EQ, BOOL, BOOL, BOOL),
        (BinaryOp.NE, V2, V2, V2B),
        (BinaryOp.LT, BOOL, BOOL, None),
        (BinaryOp.LE, V2I, V2I, V2B),
        (BinaryOp.EQ, M22, M22, None),
        (BinaryOp.GE, F32, I32, None),
        (BinaryOp.LOGICAL_AND, BOOL, BOOL, BOOL),
        (BinaryOp.LOGICAL_OR, V2B, V2B, None),
        (BinaryOp.LOGICAL_OR, U32, U32, None),
    ],
)
def test_binary_result(op: BinaryOp, left: Type, right: Type, result: Type | None) -> None:
    assert binary_result(op, left, right) == result


@pytest.mark.parametrize(
    ("op", "operand", "result"),
    [
        (UnaryOp.NEGATE, I32, I32),
        (UnaryOp.NEGATE, V3, V3),
        (UnaryOp.NEGATE, U32, None),
        (UnaryOp.NEGATE, M22, None),
        (UnaryOp.NOT, V2B, V2B),
        (UnaryOp.NOT, I32, None),
        (UnaryOp.COMPLEMENT, V2U, V2U),
        (UnaryOp.COMPLEMENT, F16, None),
        (UnaryOp.COMPLEMENT, BOOL, None),
    ],
)
def test_unary_result(op: UnaryOp, operand: Type, result: Type | None) -> None:
    assert unary_result(op, operand) == result
