"""Group collectives over whole workgroups, in the order of the lowered form, so that both give the same bits."""

from __future__ import annotations

from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from shaderdsl.interp.lanes import Lanes
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import CollectiveOp
from shaderdsl.ir.types import Type
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.operators import binary


def collective(lanes: Lanes, op: CollectiveOp, operand: Any, type: Type, lane: Any) -> Any:
    """The result of a collective for every lane."""
    groups, size = lanes.groups, lanes.size
    value = np.broadcast_to(operand, (lanes.count, *np.shape(operand)[1:])).reshape(
        groups, size, *np.shape(operand)[1:]
    )
    match op:
        case CollectiveOp.BROADCAST:
            source = np.broadcast_to(lane, (lanes.count,)).reshape(groups, size)[:, 0].astype(np.int64)
            return np.repeat(value[np.arange(groups), np.minimum(source, size - 1)], size, axis=0)
        case CollectiveOp.INCLUSIVE_SCAN:
            return scan(value, type).reshape(lanes.count)
        case CollectiveOp.EXCLUSIVE_SCAN:
            total = scan(value, type)
            return np.concatenate([np.zeros_like(total[:, :1]), total[:, :-1]], axis=1).reshape(lanes.count)
        case CollectiveOp.SUM | CollectiveOp.MAX | CollectiveOp.MIN | CollectiveOp.ANY | CollectiveOp.ALL:
            return np.repeat(tree(value, op, type), size)
        case _:
            assert_never(op)


def tree(value: NDArray[Any], op: CollectiveOp, type: Type) -> NDArray[Any]:
    """Halve the stride from the next power of two: what group_sum's loop does."""
    value = value.copy()
    size = value.shape[1]
    stride = 1 << (size - 1).bit_length() >> 1
    while stride:
        width = min(stride, size - stride)
        value[:, :width] = combine(op, value[:, :width], value[:, stride : stride + width], type)
        stride //= 2
    return value[:, 0]


def scan(value: NDArray[Any], type: Type) -> NDArray[Any]:
    """Inclusive sums with doubling strides."""
    total = value.copy()
    stride = 1
    while stride < total.shape[1]:
        total[:, stride:] = binary(BinaryOp.ADD, total[:, :-stride].copy(), total[:, stride:], type, type)
        stride *= 2
    return total


def combine(op: CollectiveOp, left: NDArray[Any], right: NDArray[Any], type: Type) -> Any:
    match op:
        case CollectiveOp.MAX:
            return call(Builtin.MAX, [left, right], [type, type], type)
        case CollectiveOp.MIN:
            return call(Builtin.MIN, [left, right], [type, type], type)
        case CollectiveOp.ANY:
            return left | right
        case CollectiveOp.ALL:
            return left & right
        case _:
            return binary(BinaryOp.ADD, left, right, type, type)
