"""WGSL's operators and the type each gives, by the specification's tables.

binary_result(BinaryOp.MUL, Matrix(2, 3, F32), Vector(2, F32)) == Vector(3, F32)
binary_result(BinaryOp.ADD, F32, I32) is None
"""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from shaderdsl.ir.types import (
    BOOL,
    I32,
    INTEGERS,
    NUMERIC,
    U32,
    Matrix,
    Scalar,
    Type,
    Vector,
    is_float,
    scalar_of,
    with_scalar,
)


class UnaryOp(Enum):
    """Prefix operators; the value is the spelling."""

    NEGATE = "-"
    NOT = "!"
    COMPLEMENT = "~"


class BinaryOp(Enum):
    """Infix operators; the value is the spelling."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    REM = "%"
    AND = "&"
    OR = "|"
    XOR = "^"
    SHL = "<<"
    SHR = ">>"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    LOGICAL_AND = "&&"
    LOGICAL_OR = "||"


ARITHMETIC = frozenset({BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.REM})
BITWISE = frozenset({BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR})
SHIFTS = frozenset({BinaryOp.SHL, BinaryOp.SHR})
EQUALITY = frozenset({BinaryOp.EQ, BinaryOp.NE})
ORDERING = frozenset({BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})
COMPARISONS = EQUALITY | ORDERING
LOGICAL = frozenset({BinaryOp.LOGICAL_AND, BinaryOp.LOGICAL_OR})


def unary_result(op: UnaryOp, type: Type) -> Type | None:
    """The type of `op operand`, or None where WGSL has no such operator: `-` on u32, `!` on i32."""
    if not isinstance(type, Scalar | Vector):
        return None
    scalar = scalar_of(type)
    match op:
        case UnaryOp.NEGATE:
            allowed = scalar == I32 or is_float(type)
        case UnaryOp.NOT:
            allowed = scalar == BOOL
        case UnaryOp.COMPLEMENT:
            allowed = scalar in INTEGERS
        case _:
            assert_never(op)
    return type if allowed else None


def binary_result(op: BinaryOp, left: Type, right: Type) -> Type | None:
    """The type of `left op right`, or None where WGSL has no such overload: operands never convert by themselves."""
    if op in ARITHMETIC:
        return arithmetic_result(op, left, right)
    if not isinstance(left, Scalar | Vector):
        return None
    if op in SHIFTS:
        return left if scalar_of(left) in INTEGERS and right == with_scalar(left, U32) else None
    if left != right:
        return None
    if op in COMPARISONS:
        return with_scalar(left, BOOL) if op in EQUALITY or scalar_of(left) in NUMERIC else None
    if op in LOGICAL:
        return BOOL if left == BOOL else None
    allowed = INTEGERS if op is BinaryOp.XOR else (*INTEGERS, BOOL)
    return left if scalar_of(left) in allowed else None


def arithmetic_result(op: BinaryOp, left: Type, right: Type) -> Type | None:
    """`+ - * / %`: equal types, a vector with its scalar, and the products of matrices."""
    scalar = scalar_of(left)
    if scalar not in NUMERIC or scalar_of(right) != scalar:
        return None
    if isinstance(left, Matrix) or isinstance(right, Matrix):
        return matrix_result(op, left, right)
    if left == right or isinstance(right, Scalar):
        return left
    return right if isinstance(left, Scalar) else None


def matrix_result(op: BinaryOp, left: Type, right: Type) -> Type | None:
    """Sums of equal matrices; products with a scalar, a vector or a matrix whose inner sizes agree."""
    if op in (BinaryOp.ADD, BinaryOp.SUB):
        return left if left == right else None
    if op is not BinaryOp.MUL:
        return None
    match left, right:
        case Matrix(), Scalar():
            return left
        case Scalar(), Matrix():
            return right
        case Matrix(columns, rows, scalar), Vector(size, _) if size == columns:
            return Vector(rows, scalar)
        case Vector(size, scalar), Matrix(columns, rows, _) if size == rows:
            return Vector(columns, scalar)
        case Matrix(inner, rows, scalar), Matrix(columns, other, _) if inner == other:
            return Matrix(columns, rows, scalar)
        case _:
            return None
