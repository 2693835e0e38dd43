"""The rules of the grammar into nodes of syntax, bottom up, as the parser reduces them.

Builder().literal([Token("NUMBER", "0.5")])     # Literal(0.5, Part(..))
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, Transformer

from shaderdsl.errors import InternalError
from shaderdsl.spec.lines import part_of
from shaderdsl.spec.notation import Operator, ReductionKind
from shaderdsl.spec.syntax import (
    Argument,
    BoundSyntax,
    Call,
    Element,
    GivenLine,
    GivenSyntax,
    Line,
    Literal,
    NamesLine,
    Node,
    Operated,
    Part,
    ReductionSyntax,
    ScanSyntax,
    StageLine,
    TargetSyntax,
    Text,
    Word,
)

OPERATORS = {o.value: o for o in Operator if o is not Operator.NEG}


def start_of(part: Any) -> int:
    return part_of(part).start if isinstance(part, Token) else part.at.start


def end_of(part: Any) -> int:
    return part_of(part).end if isinstance(part, Token) else part.at.end


def whole(parts: list[Any]) -> Part:
    """From the first of some tokens and nodes to the last."""
    return Part(start_of(parts[0]), end_of(parts[-1]))


def word(token: Token) -> Word:
    return Word(str(token), part_of(token))


def names_in(parts: list[Any]) -> tuple[Word, ...]:
    return tuple(word(p) for p in parts if isinstance(p, Token) and p.type == "NAME")


def nodes_in(parts: list[Any]) -> tuple[Node, ...]:
    return tuple(p for p in parts if not isinstance(p, Token))


def has(parts: list[Any], kind: str) -> bool:
    return any(isinstance(p, Token) and p.type == kind for p in parts)


def number(text: str) -> int | float:
    """Whole numbers stay whole."""
    if text[:2] in ("0x", "0X"):
        return int(text, 16)
    return int(text) if text.isdecimal() else float(text)


def bundle(parts: list[Any], default: Any) -> Any:
    """The one part that is a tuple: what a rule of a list gave."""
    found: list[Any] = [p for p in parts if isinstance(p, tuple)]
    return found[0] if found else default


class Builder(Transformer[Token, Any]):
    """One method for each rule of the grammar: its tokens and parts into a node of syntax."""

    def start(self, parts: list[Any]) -> list[Line]:
        return parts

    def given_line(self, parts: list[Any]) -> GivenLine:
        return GivenLine(tuple(p for p in parts if isinstance(p, GivenSyntax)), whole(parts[:1]))

    def given(self, parts: list[Any]) -> GivenSyntax:
        axes = bundle(parts, None)
        dtype = next((p for p in parts if isinstance(p, Word)), None)
        if axes is None:
            return GivenSyntax(word(parts[0]), () if has(parts, "LSQB") else None, False, dtype)
        return GivenSyntax(word(parts[0]), axes[1], axes[0], dtype)

    def given_type(self, parts: list[Any]) -> Word:
        return word(parts[-1])

    def axes(self, parts: list[Any]) -> tuple[bool, tuple[Word, ...]]:
        return has(parts, "ELLIPSIS"), names_in(parts)

    def names_line(self, parts: list[Any]) -> NamesLine:
        return NamesLine(str(parts[0]), names_in(parts[1:]), whole(parts[:-1]))

    def stage_line(self, parts: list[Any]) -> StageLine:
        how = next((p for p in parts if isinstance(p, ReductionSyntax | ScanSyntax)), None)
        last = parts[-2]
        at = Part(parts[0][0].name.at.start, end_of(last[-1]))
        return StageLine(parts[0], how, last, at)

    def targets(self, parts: list[Any]) -> tuple[TargetSyntax, ...]:
        return tuple(p for p in parts if isinstance(p, TargetSyntax))

    def target(self, parts: list[Any]) -> TargetSyntax:
        bounds = bundle(parts, ())
        return TargetSyntax(word(parts[0]), bounds, has(parts, "ELLIPSIS"), len(parts) == 1)

    def bounds(self, parts: list[Any]) -> tuple[BoundSyntax, ...]:
        return tuple(p for p in parts if isinstance(p, BoundSyntax))

    def bound(self, parts: list[Any]) -> BoundSyntax:
        return BoundSyntax(word(parts[0]), parts[2] if len(parts) > 1 else None)

    def reduction(self, parts: list[Any]) -> ReductionSyntax:
        return ReductionSyntax(ReductionKind(str(parts[0])), parts[2], whole([parts[0], parts[-1]]))

    def scan(self, parts: list[Any]) -> ScanSyntax:
        starts = parts[6] if has(parts, "START") else None
        return ScanSyntax(word(parts[2]), starts, whole([parts[0], parts[-1]]))

    def starts(self, parts: list[Any]) -> tuple[Node, ...]:
        return nodes_in(parts)

    def values(self, parts: list[Any]) -> tuple[Node, ...]:
        return nodes_in(parts)

    def literal(self, parts: list[Any]) -> Literal:
        return Literal(number(str(parts[0])), whole(parts))

    def word(self, parts: list[Any]) -> Word:
        return word(parts[0])

    def wrapped(self, parts: list[Any]) -> Node:
        inner: Node = parts[1]
        if isinstance(inner, Literal):
            return replace(inner, at=whole(parts), wrapped=True)
        return replace(inner, at=whole(parts))

    def element(self, parts: list[Any]) -> Element:
        leading, indices = bundle(parts, (False, ()))
        fill = parts[4] if has(parts, "SEMICOLON") else None
        return Element(word(parts[0]), indices, fill, leading, whole(parts))

    def indices(self, parts: list[Any]) -> tuple[bool, tuple[Node, ...]]:
        return has(parts, "ELLIPSIS"), nodes_in(parts)

    def call(self, parts: list[Any]) -> Call:
        return Call(word(parts[0]), tuple(p for p in parts if isinstance(p, Argument)), whole(parts))

    def argument(self, parts: list[Any]) -> Argument:
        return Argument(word(parts[0]), parts[2]) if len(parts) == 3 else Argument(None, parts[0])

    def reason(self, parts: list[Any]) -> Argument:
        return Argument(word(parts[0]), Text(str(parts[2])[1:-1], part_of(parts[2])))

    def binary(self, parts: list[Any]) -> Operated:
        left, sign, right = parts
        return Operated(OPERATORS[str(sign)], (left, right), whole(parts))

    def unary(self, parts: list[Any]) -> Node:
        sign, inner = parts
        if sign == "not":
            return Operated(Operator.NOT, (inner,), whole(parts))
        if isinstance(inner, Literal) and not inner.wrapped:
            return Literal(-inner.value if sign == "-" else inner.value, whole(parts))
        if sign == "+":
            return replace(inner, at=whole(parts))
        return Operated(Operator.NEG, (inner,), whole(parts))

    def chain(self, parts: list[Any]) -> Operated:
        """`a < b < c` is `a < b and b < c`."""
        found: Operated | None = None
        for i in range(0, len(parts) - 2, 2):
            left, sign, right = parts[i : i + 3]
            pair = Operated(OPERATORS[str(sign)], (left, right), whole([left, right]))
            found = pair if found is None else Operated(Operator.AND, (found, pair), whole([found, pair]))
        if found is None:
            raise InternalError("a comparison without operands")
        return found
