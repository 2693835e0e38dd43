"""Expressions and places as text, built from the leaves up, without recursion.

%a + (%b * 2.0f)      f32(%i)      vec2<f32>{%x, %y}      @x[%i].mass
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from shaderdsl.ir.expr import (
    Binary,
    Bitcast,
    Call,
    Const,
    Construct,
    Convert,
    Element,
    ElementOf,
    Expr,
    Load,
    Member,
    MemberOf,
    Place,
    Read,
    ReadInput,
    ReadParam,
    Swizzle,
    Unary,
    Whole,
)
from shaderdsl.ir.text_names import TextNames
from shaderdsl.ir.types import BOOL, F16, FLOATS, I32, U32
from shaderdsl.ir.walk import indices, operands

SUFFIXES = {I32: "i", U32: "u", F16: "h"}


@dataclass(frozen=True, slots=True)
class Part:
    """The text of an operand; `compound` asks for parentheses where something follows or precedes it."""

    text: str
    compound: bool

    @property
    def tight(self) -> str:
        return f"({self.text})" if self.compound else self.text


@dataclass(frozen=True, slots=True)
class ExprText:
    """Text of expressions, given names."""

    names: TextNames

    def text(self, expr: Expr) -> str:
        """The expression, without parentheses around it."""
        done: list[Part] = []
        for node in from_leaves(expr):
            first = len(done) - len(operands(node))
            written = self.node(node, iter(done[first:]))
            done[first:] = [Part(written, isinstance(node, Unary | Binary))]
        return done[0].text

    def node(self, expr: Expr, parts: Iterator[Part]) -> str:
        """One node, from its operands."""
        match expr:
            case Const():
                return const_text(expr)
            case Read(slot):
                return self.names.slot(slot)
            case ReadInput(source):
                return f"input.{source.value}"
            case ReadParam(name):
                return f"param.{name}"
            case Load(place):
                return self.place_of(place, parts)
            case Unary(op):
                return f"{op.value}({next(parts).text})"
            case Binary(op):
                return f"{next(parts).tight} {op.value} {next(parts).tight}"
            case Call(builtin):
                return f"{builtin.value}({commas(parts)})"
            case Convert(_, target):
                return f"{self.names.type(target)}({next(parts).text})"
            case Bitcast(_, target):
                return f"bitcast<{self.names.type(target)}>({next(parts).text})"
            case Construct(_, target):
                return f"{self.names.type(target)}{{{commas(parts)}}}"
            case Swizzle(_, components):
                return f"{next(parts).tight}.{''.join('xyzw'[c] for c in components)}"
            case Member(_, name):
                return f"{next(parts).tight}.{name}"
            case Element():
                return f"{next(parts).tight}[{next(parts).text}]"
            case _:
                assert_never(expr)

    def place(self, place: Place) -> str:
        """A place on its own."""
        return self.place_of(place, (Part(self.text(i), compound=False) for i in indices(place)))

    def place_of(self, place: Place, parts: Iterator[Part]) -> str:
        """A place from its root outwards, given its indices."""
        steps: list[ElementOf | MemberOf] = []
        while not isinstance(place, Whole):
            steps.append(place)
            place = place.base
        text = self.names.variable(place.variable)
        for step in reversed(steps):
            text += f"[{next(parts).text}]" if isinstance(step, ElementOf) else f".{step.name}"
        return text


def commas(parts: Iterator[Part]) -> str:
    return ", ".join(p.text for p in parts)


def from_leaves(expr: Expr) -> list[Expr]:
    """`expr` and everything under it, operands before their users, in order."""
    order: list[Expr] = []
    stack = [expr]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += operands(node)
    return order[::-1]


def const_text(const: Const) -> str:
    """A literal with its type's suffix; floats in the fewest digits that give the value back."""
    if const.type == BOOL:
        return "true" if const.value else "false"
    if const.type not in FLOATS:
        return f"{int(const.value)}{suffix_of(const)}"
    layout = "<e" if const.type == F16 else "<f"
    value = float(const.value)
    shortest = (f"{value:.{digits}g}" for digits in range(1, 18))
    digits = next((t for t in shortest if rounded(float(t), layout) == value), repr(value))
    return f"{float(digits)!r}{suffix_of(const)}"


def suffix_of(const: Const) -> str:
    return next((s for t, s in SUFFIXES.items() if t == const.type), "f")


def rounded(value: float, layout: str) -> float:
    """A float as the type of that layout holds it; infinite beyond its range."""
    try:
        (result,) = struct.unpack(layout, struct.pack(layout, value))
    except OverflowError:
        return float("inf")
    return result
