"""Numbers in place of tensors that hold one: a stage without reads and indices is written where it is read.

one = 1.0
d[t] = one / n          # d[t] = 1.0 / n
"""

from __future__ import annotations

from collections.abc import Mapping

from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.sharing import live, retargeted
from shaderdsl.spec.dtypes import kind_of
from shaderdsl.spec.notation import Number, Parameter, Read, Scalar, Stage
from shaderdsl.spec.rewrite import rebuilt, with_scalars


def with_constants(flat: Flat) -> Flat:
    """The graph with numbers written out."""
    known: dict[str, Scalar] = {}
    stages: list[Stage] = []
    for stage in flat.spec.stages:
        found = written_out(stage, known) if known else stage
        stages.append(found)
        value = found.values[0]
        same = kind_of(value, flat.dtypes) is flat.dtypes[found.targets[0].name]
        if found.how is None and isinstance(value, Number | Parameter) and same:
            known[found.targets[0].name] = value
    return live(retargeted(flat, stages, {}))


def written_out(stage: Stage, known: Mapping[str, Scalar]) -> Stage:
    def leaf(scalar: Scalar) -> Scalar:
        inner = rebuilt(scalar, leaf)
        plain = isinstance(inner, Read) and inner.tensor in known and not inner.indices
        return known[inner.tensor] if isinstance(inner, Read) and plain else inner

    return with_scalars(stage, leaf)
