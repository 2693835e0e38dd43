"""Where a function, its parameter, a structure or its member is written: the places of declaration errors, found in the source by name.

Definition(code, "x").span()        # the text `x: Annotated[sd.In[f32], "n"]` in the head of the function

Positions of a definition in CPython's tables differ between versions; those of the syntax tree do not.
"""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from shaderdsl.errors import Location
from shaderdsl.source import Span, characters

Node: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Definition:
    """`part` is a parameter's or member's name; without it the place is the defined name. `line` is the definition's first, a decorator's too."""

    path: str
    line: int
    name: str
    fallback: Location
    part: str | None = None

    def span(self) -> Span:
        lines = tuple(linecache.getlines(self.path))
        node = definition(self.path, lines, self.line, self.name) if lines else None
        if node is None:
            return self.fallback.span()
        found = part_of(node, self.part) if self.part is not None else None
        return name_span(self.path, lines, node) if found is None else node_span(self.path, lines, found, self.name)


@lru_cache(maxsize=16)
def definitions(path: str, lines: tuple[str, ...]) -> list[Node]:
    """Every function and class of a file."""
    try:
        tree = ast.parse("".join(lines), path)
    except SyntaxError:
        return []
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]


def definition(path: str, lines: tuple[str, ...], line: int, name: str) -> Node | None:
    """The definition of `name` whose head, decorators included, holds `line`."""
    for node in definitions(path, lines):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        if node.name == name and first <= line <= node.lineno:
            return node
    return None


def part_of(node: Node, part: str) -> ast.arg | ast.stmt | None:
    """A parameter of a function, or the line of a class that binds a name."""
    if isinstance(node, ast.ClassDef):
        return next((s for s in node.body if part in bound(s)), None)
    a = node.args
    every = [*a.posonlyargs, *a.args, *a.kwonlyargs, *(extra for extra in (a.vararg, a.kwarg) if extra is not None)]
    return next((argument for argument in every if argument.arg == part), None)


def bound(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [t.id for t in targets if isinstance(t, ast.Name)]
        case _:
            return []


def node_span(path: str, lines: tuple[str, ...], node: ast.arg | ast.stmt, name: str) -> Span:
    text = lines[node.lineno - 1].rstrip("\n")
    last = node.end_lineno or node.lineno
    end = characters(lines[last - 1], node.end_col_offset or 0) + 1
    return Span(path, node.lineno, characters(text, node.col_offset) + 1, last, end, text, name)


def name_span(path: str, lines: tuple[str, ...], node: Node) -> Span:
    """The name after `def` or `class`."""
    text = lines[node.lineno - 1].rstrip("\n")
    start = text.find(node.name, characters(text, node.col_offset) + 3)
    return Span(path, node.lineno, start + 1, node.lineno, start + 1 + len(node.name), text, node.name)
