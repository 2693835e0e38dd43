"""Where a gradient is off most.

Fault("d_x", (1, 2), 0.5, 0.75, errors, "x (2, 3)").where == "d_x[1, 2] is 0.75, not 0.5"
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from shaderdsl.testing.samples import Array


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """An element, what is true there and what was found; the errors of all elements, NaN where not known; how many times the allowed error it is."""

    gradient: str
    place: tuple[int, ...]
    expected: float
    got: float
    errors: Array
    shapes: str
    share: float = 0.0

    @property
    def element(self) -> str:
        return f"{self.gradient}[{', '.join(map(str, self.place))}]" if self.place else self.gradient

    @property
    def where(self) -> str:
        return f"{self.element} is {self.got:.4g}, not {self.expected:.4g}"


def worst_of(found: Iterable[Fault]) -> tuple[Fault, ...]:
    """The worst of each gradient."""
    kept: dict[str, Fault] = {}
    for fault in found:
        if fault.gradient not in kept or fault.share > kept[fault.gradient].share:
            kept[fault.gradient] = fault
    return tuple(kept.values())
