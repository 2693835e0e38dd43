"""Output that is coloured on a terminal, plain in a pipe, and right under any encoding."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from typing import BinaryIO

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from shaderdsl.errors import ShaderError


def safe_output() -> None:
    """A character that the terminal's encoding lacks becomes `?`; it never ends the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_error(error: ShaderError) -> None:
    """A diagnostic on stderr, its first line in red on a terminal."""
    text = Text(str(error))
    end = text.plain.find("\n")
    text.stylize("bold red", 0, end if end >= 0 else None)
    Console(stderr=True, highlight=False).print(text, soft_wrap=True)


def print_code(code: str, lexer: str) -> None:
    """Source text: highlighted on a terminal, byte for byte in a pipe or a file, where WGSL is UTF-8 whatever the terminal's encoding."""
    console = Console(highlight=False)
    binary: BinaryIO | None = getattr(sys.stdout, "buffer", None)
    if console.is_terminal and not console.no_color:
        console.print(Syntax(code, lexer, background_color="default", word_wrap=False), soft_wrap=True)
    elif binary is None or sys.stdout.isatty():
        sys.stdout.write(code)
    else:
        sys.stdout.flush()
        binary.write(code.encode())


def print_json(content: Mapping[str, object]) -> None:
    """One object for a tool to read: ASCII, so that no encoding can break it."""
    sys.stdout.write(json.dumps(content, indent=2) + "\n")


def print_lines(*lines: Text | str) -> None:
    """Lines that never wrap in a pipe."""
    console = Console(highlight=False)
    for line in lines:
        console.print(line, soft_wrap=True, markup=False)
