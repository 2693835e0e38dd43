"""Numbers that a plan gives back, computed on the host from those that it was called with.

number_of(t + 1, {"t": 3}) == 4
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.graph.tensor import Scalar
from shaderdsl.numeric.values import DTYPES
from shaderdsl.schedule.step import TYPES
from shaderdsl.spec import notation
from shaderdsl.spec.notation import Dtype, Number, Operation, Operator, Parameter


def number_of(scalar: Scalar, numbers: Mapping[str, Any]) -> int | float:
    """A Python number, rounded as a kernel would have it: each step in f32, or in whole numbers of 32 bits that wrap."""
    with np.errstate(all="ignore"):
        return value_of(scalar.value, scalar.kind, numbers).item()


def value_of(scalar: notation.Scalar, kind: Dtype, numbers: Mapping[str, Any]) -> Any:
    round_to = DTYPES[TYPES[kind]].type
    match scalar:
        case Number(value):
            return round_to(value)
        case Parameter(name):
            return round_to(numbers[name])
        case Operation(operator, arguments):
            values = [value_of(a, kind, numbers) for a in arguments]
            return operated(operator, values)
        case _:
            raise InternalError(f"{scalar} is no number of a plan")


def operated(operator: Operator, values: list[Any]) -> Any:
    match operator:
        case Operator.NEG:
            return -values[0]
        case Operator.ADD:
            return values[0] + values[1]
        case Operator.SUB:
            return values[0] - values[1]
        case Operator.MUL:
            return values[0] * values[1]
        case Operator.DIV:
            return values[0] / values[1]
        case _:
            raise InternalError(f"{operator} makes no number of a plan")
