"""Which stages of a graph are computed in tiles."""

from __future__ import annotations

import math

from shaderdsl.graph.flatten import Flat
from shaderdsl.schedule.contraction import Contraction, contraction_of
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.notation import Stage


def tiled(stage: Stage, flat: Flat) -> Contraction | None:
    """A stage that is computed in tiles: a contraction with several rows and several columns."""
    found = contraction_of(stage, flat.dtypes)
    if found is None:
        return None
    sizes = extents(stage)
    sides = [math.prod(sizes[n] for n in names) for names in (found.rows, found.columns)]
    return found if min(sides) > 1 and 0 not in sizes.values() else None
