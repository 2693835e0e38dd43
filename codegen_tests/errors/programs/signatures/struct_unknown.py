"""A structure's member of an unknown type."""

from __future__ import annotations

import shaderdsl as sd


@sd.struct
class Pair:
    a: f64
