"""Places in our source that raise a user's error, and those that a run reaches.

with recorded() as reached:
    ...
missing = [s for s in sites(folder) if not any(s.holds(*r) for r in reached)]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shaderdsl import errors
from shaderdsl.errors import ShaderError

CLASSES = {name: cls for name, cls in vars(errors).items() if isinstance(cls, type) and issubclass(cls, ShaderError)}


@dataclass(frozen=True, slots=True)
class Site:
    """A call of an error class: the file, its lines, the function around it, and the source of its message."""

    path: Path
    first: int
    last: int
    function: str
    message: str

    def holds(self, path: str, line: int) -> bool:
        return path == str(self.path) and self.first <= line <= self.last

    def __str__(self) -> str:
        return f"{self.path.name}:{self.first} in {self.function}: {self.message}"


def sites(folder: Path) -> list[Site]:
    """Every call of an error class in the Python files under `folder`."""
    found: list[Site] = []
    for path in sorted(folder.rglob("*.py")):
        walk(ast.parse(path.read_text(encoding="utf-8")), "module", path, found)
    return found


def walk(node: ast.AST, function: str, path: Path, found: list[Site]) -> None:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Call(func=ast.Name(id=name), args=[message, *_]) if name in CLASSES:
                found.append(Site(path, child.lineno, child.end_lineno or 0, function, ast.unparse(message)[:90]))
            case _:
                pass
        walk(child, child.name if isinstance(child, ast.FunctionDef) else function, path, found)


@contextmanager
def recorded() -> Generator[set[tuple[str, int]]]:
    """The places (file and line) where errors are made inside the block."""
    reached: set[tuple[str, int]] = set()
    original = ShaderError.__init__

    def noting(self: ShaderError, *arguments: Any, **named: Any) -> None:
        caller = sys._getframe(1)
        reached.add((caller.f_code.co_filename, caller.f_lineno))
        original(self, *arguments, **named)

    ShaderError.__init__ = noting
    try:
        yield reached
    finally:
        ShaderError.__init__ = original
