"""`all`, `any` and `select`.

LOGIC[Builtin.SELECT](np.int32([1]), np.int32([2]), np.array([True])) is [2]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.values import Array


def every(x: Array) -> Array:
    return np.asarray(np.all(x, axis=-1))


def some(x: Array) -> Array:
    return np.asarray(np.any(x, axis=-1))


def select(otherwise: Array, chosen: Array, condition: Array) -> Array:
    """`chosen` where the condition holds, else `otherwise`."""
    return np.where(condition, chosen, otherwise)


LOGIC: dict[Builtin, Callable[..., Array]] = {Builtin.ALL: every, Builtin.ANY: some, Builtin.SELECT: select}
