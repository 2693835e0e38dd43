"""The numpy meaning of every operator: integers wrap, floats round correctly in their own precision.

binary(BinaryOp.ADD, np.int32([2147483647]), np.int32([1]), I32, I32) is [-2147483648]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import Matrix, Scalar, Type, Vector
from shaderdsl.numeric.integers import divide, remainder, shift_left, shift_right
from shaderdsl.numeric.values import Array, widen


def any_divide(left: Array, right: Array) -> Array:
    """`/`: IEEE for floats, truncating for integers."""
    return np.divide(left, right) if left.dtype.kind == "f" else divide(left, right)


def any_remainder(left: Array, right: Array) -> Array:
    """`%`: x - y * trunc(x / y), exactly (C's fmod) for floats."""
    return np.fmod(left, right) if left.dtype.kind == "f" else remainder(left, right)


UNARY: dict[UnaryOp, Callable[[Array], Array]] = {
    UnaryOp.NEGATE: np.negative,
    UnaryOp.NOT: np.logical_not,
    UnaryOp.COMPLEMENT: np.invert,
}

BINARY: dict[BinaryOp, Callable[[Array, Array], Array]] = {
    BinaryOp.ADD: np.add,
    BinaryOp.SUB: np.subtract,
    BinaryOp.MUL: np.multiply,
    BinaryOp.DIV: any_divide,
    BinaryOp.REM: any_remainder,
    BinaryOp.AND: np.bitwise_and,
    BinaryOp.OR: np.bitwise_or,
    BinaryOp.XOR: np.bitwise_xor,
    BinaryOp.SHL: shift_left,
    BinaryOp.SHR: shift_right,
    BinaryOp.EQ: np.equal,
    BinaryOp.NE: np.not_equal,
    BinaryOp.LT: np.less,
    BinaryOp.LE: np.less_equal,
    BinaryOp.GT: np.greater,
    BinaryOp.GE: np.greater_equal,
    BinaryOp.LOGICAL_AND: np.logical_and,
    BinaryOp.LOGICAL_OR: np.logical_or,
}


def unary(op: UnaryOp, operand: Array, type: Type) -> Array:  # noqa: ARG001 (the signature that every meaning has)
    """`op operand`; -MIN = MIN."""
    with np.errstate(all="ignore"):
        return np.asarray(UNARY[op](operand))


def binary(op: BinaryOp, left: Array, right: Array, left_type: Type, right_type: Type) -> Array:
    """`left op right` on operands of the types that `binary_result` accepts; batches broadcast."""
    with np.errstate(all="ignore"):
        if isinstance(left_type, Matrix) or isinstance(right_type, Matrix):
            return matrix_binary(op, left, right, left_type, right_type)
        if isinstance(left_type, Vector):
            if isinstance(right_type, Scalar):
                right = right[..., None]
        elif isinstance(right_type, Vector):
            left = left[..., None]
        return np.asarray(BINARY[op](left, right))


def matrix_binary(op: BinaryOp, left: Array, right: Array, left_type: Type, right_type: Type) -> Array:
    """Sums and scalings by component; products with float64 sums that are rounded once. A matrix is B + (columns, rows)."""
    if op is not BinaryOp.MUL:
        return np.asarray(BINARY[op](left, right))
    match left_type, right_type:
        case Matrix(), Scalar():
            return np.multiply(left, right[..., None, None])
        case Scalar(), Matrix():
            return np.multiply(left[..., None, None], right)
        case Matrix(), Vector():
            product = np.einsum("...cr,...c->...r", widen(left), widen(right))
        case Vector(), Matrix():
            product = np.einsum("...r,...cr->...c", widen(left), widen(right))
        case _:
            product = np.matmul(widen(right), widen(left))
    return np.asarray(product).astype(left.dtype)
