"""Axes of 1 taken from a tensor and put back, as calls: derivatives leave out axes that are broadcast.

without_ones(bias, (-2,))       # a bias of (1, 5) as one of (5)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shaderdsl.graph.operators import made
from shaderdsl.graph.tensor import Tensor


def without_ones(tensor: Tensor, places: Sequence[int]) -> Any:
    """A tensor without some axes of 1, counted from the last."""
    names = [f"i{p}" for p in range(tensor.ndim)]
    gone = {p % tensor.ndim for p in places}
    read = ", ".join("0" if p in gone else n for p, n in enumerate(names))
    left = ", ".join(n for p, n in enumerate(names) if p not in gone)
    return made("without_ones", f"given x[{', '.join(names)}]\ny[{left}] = x[{read}]")(tensor)


def with_ones(tensor: Tensor, places: Sequence[int]) -> Any:
    """A tensor with such axes again."""
    rank = tensor.ndim + len(places)
    new = {p % rank for p in places}
    names = [f"i{p}" for p in range(rank)]
    read = ", ".join(n for p, n in enumerate(names) if p not in new)
    left = ", ".join(f"{n} < 1" if p in new else n for p, n in enumerate(names))
    return made("with_ones", f"given x[{read}]\ny[{left}] = x[{read}]")(tensor)
