"""Where a thing came from: a place in the user's Python, resolved to line and column only when somebody asks.

`Loc` costs two pointers when a kernel is traced; `Loc.span()` reads CPython's position table and the source when an error is shown.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType


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
        line, end_line, start, end = positions(self.code)[self.lasti // 2]
        path, name = self.code.co_filename, self.code.co_name
        first = line or self.code.co_firstlineno
        last = end_line or first
        text = linecache.getline(path, first).rstrip("\n")
        column = characters(text, start or 0) + 1
        if last == first:
            end_column = max(characters(text, end or 0) + 1, column + 1)
        else:
            end_column = characters(linecache.getline(path, last), end or 0) + 1
        return Span(path, first, column, last, end_column, text, name)


@lru_cache(maxsize=256)
def positions(code: CodeType) -> list[tuple[int | None, int | None, int | None, int | None]]:
    """Every instruction's (line, end line, column, end column) in bytes: read once per code object, since a look-up alone is linear."""
    return list(code.co_positions())


def characters(text: str, offset: int) -> int:
    """A byte offset of UTF-8 as an offset of characters."""
    if text.isascii():
        return min(offset, len(text))
    return len(text.encode()[:offset].decode(errors="ignore"))
