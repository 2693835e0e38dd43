"""The numpy meaning of every builtin, and the one way to call it.

call(Builtin.MAX, (x, y), (F32, F32), F32) gives an array of x's batch
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.types import Scalar, Type
from shaderdsl.numeric.bits import BITS
from shaderdsl.numeric.geometry import GEOMETRY
from shaderdsl.numeric.logic import LOGIC
from shaderdsl.numeric.packing import PACKING
from shaderdsl.numeric.powers import POWERS
from shaderdsl.numeric.ranges import RANGES
from shaderdsl.numeric.rounding import ROUNDING
from shaderdsl.numeric.trig import TRIG
from shaderdsl.numeric.values import Array, Value, align

MEANINGS: dict[Builtin, Callable[..., Value]] = {
    **BITS,
    **GEOMETRY,
    **LOGIC,
    **PACKING,
    **POWERS,
    **RANGES,
    **ROUNDING,
    **TRIG,
}

REDUCING = frozenset({Builtin.ALL, Builtin.ANY, Builtin.DISTANCE, Builtin.LENGTH})
"""Builtins that consume the last axis and take a scalar as a vector of one."""


def call(builtin: Builtin, arguments: Sequence[Array], types: Sequence[Type], result: Type) -> Value:  # noqa: ARG001 (the signature that every meaning has)
    """The value of a call whose argument types `result_type` accepts; frexp and modf give a tuple of members."""
    with np.errstate(all="ignore"):
        if builtin in REDUCING and isinstance(types[0], Scalar):
            value = MEANINGS[builtin](*(x[..., None] for x in arguments))
        else:
            value = MEANINGS[builtin](*align(arguments, types))
    return value if isinstance(value, tuple) else np.asarray(value)
