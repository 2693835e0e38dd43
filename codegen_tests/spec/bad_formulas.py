"""Wrong formulas with their messages, as `bad_formulas.txt` has them side by side:

## name
y[i] = x[i
---
formula of name:1:9: error: ...
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shaderdsl.errors import SpecError
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.parse import parse_spec

FILE = Path(__file__).with_name("bad_formulas.txt")
LIBRARY: dict[str, OpSpec] = {
    "softmax": parse_spec(
        "softmax",
        """
        m[i] = max(j) x[i, j]
        e[i, j] = exp(x[i, j] - m[i])
        s[i] = sum(j) e[i, j]
        y[i, j] = e[i, j] / s[i]
        """,
    ),
    "embed": parse_spec("embed", "y[i, c] = w[ids[i], c]"),
    "shift": parse_spec("shift", "y[t] = x[t - k]"),
    "both": parse_spec("both", "given a[n], b[n]\ny[i] = a[i]\nz[j] = b[j]\nout(y, z)"),
    "padded": parse_spec("padded", "given x[i], y[j]\nz[k < size(j)] = x[k] + y[k]"),
}


@dataclass(frozen=True)
class Bad:
    name: str
    formula: str
    message: str


def bad_formulas() -> list[Bad]:
    """All pairs of the file."""
    found: list[Bad] = []
    for section in FILE.read_text("utf-8").split("## ")[1:]:
        name, rest = section.split("\n", 1)
        formula, message = rest.split("\n---\n")
        found.append(Bad(name, formula, message.rstrip("\n")))
    return found


def message_of(name: str, formula: str) -> str:
    """What a wrong formula is answered with."""
    try:
        parse_spec(name, formula, LIBRARY)
    except SpecError as error:
        return str(error)
    raise AssertionError(f"{name} parses")


def write(pairs: list[Bad]) -> None:
    """The file anew, with the messages of now."""
    texts = [f"## {b.name}\n{b.formula}\n---\n{message_of(b.name, b.formula)}\n" for b in pairs]
    FILE.write_text("\n".join(texts), encoding="utf-8", newline="\n")
