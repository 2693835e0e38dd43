"""Where a thing came from: a place in the user's Python, resolved to line and column only when somebody asks.

`Loc` costs two pointers when a kernel is traced; `Loc.span()` reads CPython's position table and the source when an error is shown.
"""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """Lines and columns of a piece of text, both counted from 1; `end_column` is one past the last character."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    source: str = ""
    """The text of line `line`, without its newline; empty where the source is not at hand."""
    function: str = ""
    """The function that holds the line, for places without source text."""


@dataclass(frozen=True, slots=True, eq=False)
class Loc:
    """An instruction of a code object: the cheapest exact position that CPython offers."""

    code: CodeType
    lasti: int

    def span(self) -> Span:
        """The place as path, line and columns (Python 3.11's `co_positions`)."""
        path, name = self.code.co_filename, self.code.co_name
        where = positions(self.code)[self.lasti // 2]
        line, end_line, start, end = heads(path, tuple(linecache.getlines(path))).get(where, where)
        first = line or self.code.co_firstlineno
        last = end_line or first
        text = linecache.getline(path, first).rstrip("\n")
        column = characters(text, start or 0) + 1
        if last == first:
            end_column = max(characters(text, end or 0) + 1, column + 1)
        else:
            end_column = characters(linecache.getline(path, last), end or 0) + 1
        return Span(path, first, column, last, end_column, text, name)


Position: TypeAlias = tuple[int | None, int | None, int | None, int | None]
"""Line, end line, column, end column in bytes: the order of `co_positions`."""


@lru_cache(maxsize=16)
def heads(path: str, lines: tuple[str, ...]) -> dict[Position, Position]:
    """Where CPython's versions place one thing differently, the place that all of them can give: the condition of an `if`, what a
    `for` iterates over, the whole of an f-string."""
    try:
        tree = ast.parse("".join(lines), path)
    except SyntaxError:
        return {}
    found: dict[Position, Position] = {}
    for node in ast.walk(tree):
        match node:
            case ast.If(test=part) | ast.While(test=part) | ast.Assert(test=part) | ast.For(iter=part):
                found[position(node)] = position(part)
            case ast.JoinedStr(values=values):
                found |= {position(v): position(node) for v in values if isinstance(v, ast.FormattedValue)}
            case _:
                pass
    return found


def position(node: ast.stmt | ast.expr) -> Position:
    return (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)


@lru_cache(maxsize=256)
def positions(code: CodeType) -> list[Position]:
    """Every instruction's (line, end line, column, end column) in bytes: read once per code object, since a look-up alone is linear."""
    return list(code.co_positions())


def characters(text: str, offset: int) -> int:
    """A byte offset of UTF-8 as an offset of characters."""
    if text.isascii():
        return min(offset, len(text))
    return len(text.encode()[:offset].decode(errors="ignore"))
