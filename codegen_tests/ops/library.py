"""The library's definitions as what the evidence works on.

spec, hints = case("softmax")
"""

from __future__ import annotations

from shaderdsl.ops import definitions
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.parse import parse_spec
from shaderdsl.testing.library import hints_of
from shaderdsl.testing.samples import Hints, plain

DEFINITIONS = definitions()
DERIVED = [name for name, d in DEFINITIONS.items() if not d.without]


def case(name: str) -> tuple[OpSpec, Hints]:
    """The spec with its leading axes written out, and how to draw arguments for it."""
    found = DEFINITIONS[name]
    return plain(parse_spec(name, found.formula)), hints_of(found)
