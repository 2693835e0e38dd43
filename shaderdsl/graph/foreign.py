"""Tensors and numbers of another plan's call: they stand for nothing here.

check_own(results, given, {"rate"})     # a GraphError at the line of the op that takes one
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shaderdsl.errors import GraphError
from shaderdsl.graph.tensor import Leaf, Tensor, calls_of
from shaderdsl.lang.here import here
from shaderdsl.spec.rewrite import parameters

HINT = "pass it as an argument, or call the other function inside this one"


def check_own(results: Mapping[str, Tensor], given: Collection[Leaf], numbers: Collection[str]) -> None:
    """Refuse what was kept from another call. given: the leaves that stand for this one's arguments; numbers: the names of its numbers."""

    def foreign(tensor: Tensor) -> bool:
        return isinstance(tensor.source, Leaf) and tensor.source.data is None and tensor.source not in given

    for call in calls_of(results.values()):
        name = call.operation.name
        for tensor in call.tensors.values():
            if foreign(tensor):
                raise GraphError(f"{name} takes {tensor.name} of another plan's call", call.loc, hints=[HINT])
        lost = next((p for s in call.scalars.values() for p in parameters(s) if p not in numbers), None)
        if lost is not None:
            raise GraphError(f"{name} takes the number {lost} of another plan's call", call.loc, hints=[HINT])
    for tensor in results.values():
        if foreign(tensor):
            raise GraphError(f"{tensor.name} is of another plan's call", here(), hints=[HINT])
