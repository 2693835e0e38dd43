"""Expressions that the host evaluates: the extents of a domain, from the uniform's values."""

from __future__ import annotations

import numpy as np

from shaderdsl.interp.evaluate import evaluate
from shaderdsl.interp.lanes import Lanes
from shaderdsl.ir.expr import Expr
from shaderdsl.numeric.host import Memory


def host_value(expr: Expr, params: dict[str, Memory]) -> int:
    """A u32 expression over the uniform's fields."""
    lanes = Lanes((1, 1, 1), (1, 1, 1), np.zeros(1, np.int64), {}, params)
    return int(evaluate(lanes, expr)[0])
