"""docs/errors.md, made of the bad programs and their messages: each code with one example, then every mistake in a line.

Examples are fenced as `text`, since blocks of `python` are run by the tests of the docs and these end in an error.
"""

from __future__ import annotations

import ast
from itertools import groupby
from pathlib import Path

from codegen_tests.errors.running import PROGRAMS, programs
from codegen_tests.errors.sites import CLASSES

EXAMPLES = {
    "trace": "python/if_value",
    "type": "types/sum_of_two_types",
    "scope": "scope/rebound_value_range",
    "constant": "constants/f16_too_large",
    "signature": "signatures/bare_float",
    "limit": "launch/workgroup_limit",
    "launch": "launch/dtype_float64",
    "graph": "graph/elements",
    "device": "launch/unknown_device",
    "assertion": "launch/assertion",
}
WITHOUT = {
    "driver": "The message holds the driver's own text and the Python line that the WGSL came from.",
    "golden": "See the goldens: a missing, orphaned or different file fails, and `--update-golden` writes it.",
    "spec": "The carets stand inside the formula.",
    "target": "On the command line: `shaderdsl compile path.py:kernel`.",
}
"""Codes that come from a driver, a file of goldens or the command line: no bad kernel shows them."""

HEAD = """# Errors

What shaderdsl says of a mistake: one sentence, the place in your own Python, the reason, and a fix that can be typed in. Every error is a
`shaderdsl.ShaderError`; its class says the kind, the word in brackets is the class's `code`. An `InternalError` is a fault of ours: please report it.

This page is made of `codegen_tests/errors/programs`, where each bad program stands beside its exact message, and a test keeps it current.
"""


def page() -> str:
    """The whole page."""
    sections = [section(code, name, doc) for name, code, doc in kinds()]
    return "\n".join([HEAD, *sections, "## Every mistake", "", *index()]) + "\n"


def kinds() -> list[tuple[str, str, str]]:
    """Class, code and purpose of each kind of error, but for the base."""
    found = [(name, cls.code, (cls.__doc__ or "").strip()) for name, cls in CLASSES.items()]
    return [kind for kind in found if kind[1] != "error"]


def section(code: str, name: str, doc: str) -> str:
    head = f"## `{name}` [{code}]\n\n{doc}\n"
    if code in WITHOUT:
        return f"{head}\n{WITHOUT[code]}\n"
    program = PROGRAMS / f"{EXAMPLES[code]}.py"
    message = program.with_suffix(".txt").read_text(encoding="utf-8")
    return f"{head}\n```text\n{body(program)}\n```\n\n```text\n{message}```\n"


def body(program: Path) -> str:
    """A program without its docstring and imports."""
    text = program.read_text(encoding="utf-8")
    tree = ast.parse(text)
    rest = [s for s in tree.body[1:] if not isinstance(s, ast.Import | ast.ImportFrom)]
    decorators: list[ast.expr] = getattr(rest[0], "decorator_list", [])
    first = min([rest[0].lineno, *(d.lineno for d in decorators)])
    return "\n".join(text.splitlines()[first - 1 :])


def index() -> list[str]:
    """A line for each pair: what is wrong, and the sentence that says so."""
    lines: list[str] = []
    for area, members in groupby(programs(), key=lambda program: program.parent.name):
        lines += [f"### {area}", "", "| mistake | message |", "|---|---|"]
        lines += [f"| {purpose(program)} | {sentence(program)} |" for program in members]
        lines.append("")
    return lines[:-1]


def purpose(program: Path) -> str:
    return escaped((ast.get_docstring(ast.parse(program.read_text(encoding="utf-8"))) or "").removesuffix("."))


def sentence(program: Path) -> str:
    first = program.with_suffix(".txt").read_text(encoding="utf-8").splitlines()[0]
    return escaped(first.partition("error: ")[2])


def escaped(text: str) -> str:
    """Text that a cell of a Markdown table shows as it is."""
    for mark in "\\|*_<>":
        text = text.replace(mark, f"\\{mark}")
    return text
