"""`shaderdsl compile`: the WGSL or IR of a kernel, or of all kernels of an op, on stdout or in a file."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shaderdsl.cli.terminal import print_code
from shaderdsl.errors import TargetError
from shaderdsl.ir.text import kernel_text as text_of
from shaderdsl.operation import Op
from shaderdsl.program import KernelProgram
from shaderdsl.targets import check_statics, load_target


def compile_target(target: str, dialect: str, output: Path | None, ir: bool, statics: list[str]) -> int:
    """Print what `target` names; relative to the current folder."""
    program = load_target(target, Path.cwd())
    values: dict[str, Any] = dict(map(static_argument, statics))
    check_statics(program, values, "--static {}=VALUE")
    text = op_text(program, dialect, ir) if isinstance(program, Op) else kernel_text(program, dialect, ir, values)
    if output is None:
        print_code(text, "text" if ir else "wgsl")
    else:
        write(output, text)
    return 0


def kernel_text(program: KernelProgram, dialect: str, ir: bool, values: Mapping[str, Any]) -> str:
    return program.ir(**values) if ir else program.shader(dialect, **values).text


def op_text(program: Op, dialect: str, ir: bool) -> str:
    """All kernels of an op, for one axis at each `...`."""
    return "\n".join(map(text_of, program.kernels())) if ir else program.wgsl(dialect)


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
