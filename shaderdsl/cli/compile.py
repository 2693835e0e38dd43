"""`shaderdsl compile`: a kernel's WGSL or IR, on stdout or in a file."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from shaderdsl.cli.terminal import print_code
from shaderdsl.errors import TargetError
from shaderdsl.targets import check_statics, load_target


def compile_target(target: str, dialect: str, output: Path | None, ir: bool, statics: list[str]) -> int:
    """Print the kernel that `target` names; relative to the current folder."""
    program = load_target(target, Path.cwd())
    values: dict[str, Any] = dict(map(static_argument, statics))
    check_statics(program, values, "--static {}=VALUE")
    text = program.ir(**values) if ir else program.shader(dialect, **values).text
    if output is None:
        print_code(text, "text" if ir else "wgsl")
    else:
        write(output, text)
    return 0


def write(output: Path, text: str) -> None:
    try:
        output.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise TargetError(f"{output} cannot be written", notes=[str(error)]) from error


def static_argument(given: str) -> tuple[str, object]:
    """`n=4` as ("n", 4): a Python literal, or else the text itself."""
    name, equals, value = given.partition("=")
    if not equals or not name.isidentifier():
        raise TargetError(f"--static {given} is not NAME=VALUE", hints=["write --static n=4"])
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
