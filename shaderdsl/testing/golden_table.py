"""The table of goldens in pyproject.toml: which file shows which kernel.

    [tool.shaderdsl.goldens]
    "golden_wgsl/rms_norm.wgsl" = "kernels/norm.py:rms_norm"
    "golden_wgsl/tile_4.wgsl" = {target = "kernels/matmul.py:tile", dialect = "tint", statics = {n = 4}}
    "golden_wgsl/watched_debug.wgsl" = {target = "kernels/debugging.py:watched", debug = true}

read_table(Path("pyproject.toml"))      # [Golden(...), ...] in the table's order
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from shaderdsl.errors import GoldenError
from shaderdsl.wgsl.module import Dialect

FOLDER = "golden_wgsl"
"""Where goldens lie if no table says otherwise."""
KEYS = {"target", "dialect", "statics", "debug"}


@dataclass(frozen=True, slots=True)
class Golden:
    """One line of the table. `file` is relative to `root`, the folder of pyproject.toml, and so is the target's path."""

    root: Path
    file: str
    target: str
    dialect: str
    statics: Mapping[str, object]
    debug: bool = False

    @property
    def path(self) -> Path:
        return self.root / self.file


def read_table(pyproject: Path) -> list[Golden]:
    """The goldens that a pyproject.toml lists; none where it has no table. A GoldenError names a malformed line."""
    try:
        with pyproject.open("rb") as file:
            content = tomllib.load(file)
    except FileNotFoundError:
        return []
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GoldenError(f"{pyproject.name} is not TOML", notes=[str(error)]) from error
    tool = table_in(table_in(content, "tool"), "shaderdsl")
    return [golden(pyproject.parent.resolve(), file, given) for file, given in table_in(tool, "goldens").items()]


def table_in(table: Mapping[str, object], name: str) -> Mapping[str, object]:
    """A table inside a table; empty where there is none."""
    inner = table.get(name, {})
    if not isinstance(inner, dict):
        raise GoldenError(f"{name} in pyproject.toml is no table")
    return cast("Mapping[str, object]", inner)


def golden(root: Path, file: str, given: object) -> Golden:
    """One line of the table, checked."""
    row = {"target": given} if isinstance(given, str) else given
    if not isinstance(row, dict):
        raise malformed(file, "is neither a target nor a table")
    fields = cast("dict[str, object]", row)
    unknown = sorted(set(fields) - KEYS)
    if unknown:
        raise malformed(file, f"has no key {unknown[0]}")
    target, dialect, statics = fields.get("target"), fields.get("dialect", "naga"), fields.get("statics", {})
    if not isinstance(target, str):
        raise malformed(file, "has no target")
    if dialect not in [d.value for d in Dialect]:
        raise malformed(file, f"has the dialect {dialect!r}, which is neither naga nor tint")
    if not isinstance(statics, dict):
        raise malformed(file, "has statics that are no table")
    debug = fields.get("debug", False)
    if not isinstance(debug, bool):
        raise malformed(file, "has a debug that is neither true nor false")
    if not file.endswith(".wgsl"):
        raise malformed(file, "does not end in .wgsl")
    return Golden(root, file, target, str(dialect), cast("dict[str, object]", statics), debug)


def malformed(file: str, what: str) -> GoldenError:
    return GoldenError(
        f"{file} in [tool.shaderdsl.goldens] {what}", hints=['write "golden_wgsl/scale.wgsl" = "kernels.py:scale"']
    )


def folders(goldens: list[Golden]) -> list[Path]:
    """The folders that hold goldens, which may hold no other .wgsl files."""
    return list(dict.fromkeys(g.path.parent for g in goldens))
