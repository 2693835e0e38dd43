"""What a formula's text says, before names are resolved: every part keeps its place, so that a caret can stand under it.

formula = Formula("softmax", "m[i] = max(j) x[i, j]")
formula.place(Part(16, 23)).span()        # line 1, columns 17 to 24 of `formula of softmax`
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from shaderdsl.source import Span
from shaderdsl.spec.notation import Operator, ReductionKind

BLANKS = {ord(c): " " for c in "\t\f\r"}
"""What would move a caret away from the characters above it."""


class Part(NamedTuple):
    """Characters of the formula, from `start` up to `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of a formula, as errors want it."""

    where: Span

    def span(self) -> Span:
        return self.where


@dataclass(frozen=True, slots=True)
class Formula:
    """The text of a spec under its name."""

    name: str
    text: str

    def place(self, part: Part) -> Mark:
        """The lines and columns of a part."""
        line, column = self.position(part.start)
        end_line, end_column = self.position(max(part.end, part.start + 1))
        source = self.text.split("\n")[line - 1].rstrip("\r").translate(BLANKS)
        return Mark(Span(f"formula of {self.name}", line, column, end_line, end_column, source))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1."""
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


@dataclass(frozen=True, slots=True)
class Word:
    """A bare name."""

    text: str
    at: Part


@dataclass(frozen=True, slots=True)
class Literal:
    """A number; `wrapped` where it stands in parentheses, so that `-(1)` stays a negation."""

    value: int | float
    at: Part
    wrapped: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Words in quotes: the reason of a `stop_gradient`."""

    value: str
    at: Part


@dataclass(frozen=True, slots=True)
class Element:
    """`tensor[indices; fill]`."""

    tensor: Word
    indices: tuple[Node, ...]
    fill: Node | None
    leading: bool
    at: Part


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call, `name=value` or a value alone."""

    name: Word | None
    value: Node


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`."""

    function: Word
    arguments: tuple[Argument, ...]
    at: Part


@dataclass(frozen=True, slots=True)
class Operated:
    """An operator and its operands."""

    operator: Operator
    arguments: tuple[Node, ...]
    at: Part


Node: TypeAlias = Word | Literal | Text | Element | Call | Operated


@dataclass(frozen=True, slots=True)
class BoundSyntax:
    """`i` or `i < extent`."""

    name: Word
    extent: Node | None


@dataclass(frozen=True, slots=True)
class TargetSyntax:
    """`name`, `name[bounds]` or `name[..., bounds]`."""

    name: Word
    bounds: tuple[BoundSyntax, ...]
    leading: bool
    bare: bool
    """Written without brackets."""


@dataclass(frozen=True, slots=True)
class ReductionSyntax:
    kind: ReductionKind
    over: tuple[BoundSyntax, ...]
    at: Part


@dataclass(frozen=True, slots=True)
class ScanSyntax:
    index: Word
    starts: tuple[Node, ...] | None
    at: Part


@dataclass(frozen=True, slots=True)
class StageLine:
    targets: tuple[TargetSyntax, ...]
    how: ReductionSyntax | ScanSyntax | None
    values: tuple[Node, ...]
    at: Part


@dataclass(frozen=True, slots=True)
class GivenSyntax:
    """An input as `given` writes it; axes are None for a scalar."""

    name: Word
    axes: tuple[Word, ...] | None
    leading: bool
    dtype: Word | None


@dataclass(frozen=True, slots=True)
class GivenLine:
    inputs: tuple[GivenSyntax, ...]
    at: Part


@dataclass(frozen=True, slots=True)
class NamesLine:
    """`out(y, z)` or `saved(r)`."""

    kind: str
    names: tuple[Word, ...]
    at: Part


Line: TypeAlias = StageLine | GivenLine | NamesLine


def parts_of(node: Node) -> tuple[Node, ...]:
    """The nodes directly under one, in the order of the text."""
    match node:
        case Element(_, indices, fill):
            return indices if fill is None else (*indices, fill)
        case Call(_, arguments):
            return tuple(a.value for a in arguments)
        case Operated(_, arguments):
            return arguments
        case Word() | Literal() | Text():
            return ()


def walk(node: Node) -> Iterator[Node]:
    """A node and all under it, in the order of the text."""
    stack = [node]
    while stack:
        last = stack.pop()
        yield last
        stack += reversed(parts_of(last))
