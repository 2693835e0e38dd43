"""Unique names for what a kernel's text mentions: slots, memory, functions, structures.

names.slot(Slot("i", U32)) == "%i", the next slot of that name "%i.1", slots without one "%0", "%1"
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from shaderdsl.ir.expr import Slot, Variable
from shaderdsl.ir.stmt import Function
from shaderdsl.ir.types import Array, Atomic, Matrix, RuntimeArray, Scalar, Struct, Type, Vector


@dataclass(frozen=True, slots=True)
class TextNames:
    """Names given so far, in order of first mention, which makes them deterministic. A name never holds a dot of its own."""

    given: dict[object, str] = field(default_factory=dict[object, str])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    structs: list[Struct] = field(default_factory=list[Struct])
    struct_counts: dict[str, int] = field(default_factory=dict[str, int])

    def inner(self) -> TextNames:
        """Names inside a function: its slots number from 0 again, what is outside stays visible."""
        return replace(self, counts=dict(self.counts))

    def slot(self, slot: Slot) -> str:
        return self.given.get(slot) or self.give(slot, numbered("%", slot.name, self.counts))

    def variable(self, variable: Variable) -> str:
        return self.given.get(variable) or self.give(variable, numbered("@", variable.name, self.counts))

    def function(self, function: Function) -> str:
        return self.given.get(function) or self.give(function, numbered("$", function.name, self.counts))

    def give(self, key: object, text: str) -> str:
        self.given[key] = text
        return text

    def type(self, type: Type) -> str:
        """A type's spelling, with the unique names of structures."""
        match type:
            case Scalar() | Vector() | Matrix() | Atomic():
                return str(type)
            case Array(element, count):
                return f"array<{self.type(element)}, {count}>"
            case RuntimeArray(element):
                return f"array<{self.type(element)}>"
            case Struct():
                return self.struct(type)
            case _:
                assert_never(type)

    def struct(self, struct: Struct) -> str:
        known = self.given.get(struct)
        if known is None:
            known = self.give(struct, numbered("", struct.name, self.struct_counts))
            if not struct.builtin:
                self.structs.append(struct)
        return known


def numbered(mark: str, name: str | None, counts: dict[str, int]) -> str:
    """`mark` and name, numbered from the second on; numbers alone where there is no name."""
    stem = mark + (name or "")
    number = counts.get(stem, 0)
    counts[stem] = number + 1
    if not name:
        return f"{stem}{number}"
    return f"{stem}.{number}" if number else stem
