"""Write docs/ops.md: every op of the library, its formula and its derived backward as maths.

python docs/make_ops.py              # write the page
python docs/make_ops.py --check      # status 1 where the page is not current; a path after it is another page
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from shaderdsl.ops import FAMILIES
from shaderdsl.ops.definition import Definition
from shaderdsl.ops.records import record_of

PAGE = Path(__file__).parent / "ops.md"
HEAD = """\
# The ops of the library

Each op is a formula; its backward is derived, never written, and held to recorded evidence: `shaderdsl gradcheck` takes it anew, `shaderdsl ops` lists
its state. `from shaderdsl import ops` has them by name: `ops.softmax(x)`, `ops.softmax.vjp(x=x, d_y=d_y)["x"]`.

How to read: `∂x` is the gradient of the loss by `x`; a read out of range is 0; `…` stands for any leading axes, of which a backward is shown with one,
`b`. The stages of the forward that a backward computes again are not repeated. The page is written by `docs/make_ops.py`.
"""
SIGNS = (
    (r"\bsum\(([^)]*)\) ", r"Σ[\1] "),
    (r"\bprod\(([^)]*)\) ", r"Π[\1] "),
    (r"\bmean\(([^)]*)\) ", r"mean[\1] "),
    (r"\bd_(?=\w)", "∂"),
    (r" \*\* 2\b", "²"),
    (r" \*\* 3\b", "³"),
    (r" \* ", " · "),
    (r"<=", "≤"),
    (r">=", "≥"),
    (r"!=", "≠"),
    (r" == ", " = "),
    (r"\band\b", "∧"),
    (r"\bor\b", "∨"),
    (r"\bsqrt\(", "√("),
    (r"\.\.\.", "…"),
    (r"(?<![\w.])-1e\+?30\b", "-10³⁰"),
    (r" - ", " − "),
)
"""Notation to maths, in this order."""


def maths(line: str) -> str:
    """One line of a formula as it would be written by hand, as far as one line can."""
    name, equals, value = line.partition(" = ")
    for pattern, sign in SIGNS:
        name, value = re.sub(pattern, sign, name), re.sub(pattern, sign, value)
    return f"{name}{equals}{value}"


def backward_lines(definition: Definition) -> list[str]:
    """The stages that the derivation added."""
    record = record_of(definition.name) or {"backward": []}
    own = {line.partition("[")[0].partition(" ")[0] for line in definition.formula.splitlines()}
    kept = [line for line in record["backward"] if line.partition("[")[0].partition(" ")[0] not in own]
    return [line for line in kept if not line.startswith(("given", "out("))]


def section(definition: Definition) -> list[str]:
    """The part of the page for one op."""
    lines = [f"### `ops.{definition.name}`", "", "```text", *map(maths, definition.formula.splitlines()), "```", ""]
    if definition.without:
        return [*lines, f"No backward: {definition.without}.", ""]
    kinds = (record_of(definition.name) or {"mutations": {}})["mutations"].values()
    made, same = sum(k["made"] for k in kinds), sum(k["equivalent"] for k in kinds)
    shown = [f"identities: {', '.join(definition.identities)}"] if definition.identities else []
    kept = [f"{made - same} wrong backwards caught", *([f"{same} proved to be equivalent"] if same else []), *shown]
    return [*lines, f"Backward ({'; '.join(kept)}):", "", "```text", *map(maths, backward_lines(definition)), "```", ""]


def page() -> str:
    lines = [HEAD]
    for family in FAMILIES:
        text = (family.__doc__ or "").strip()
        lines += [f"## {family.__name__.rpartition('.')[2].capitalize()}", "", text, ""]
        for definition in family.OPS:
            lines += section(definition)
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    if sys.argv[1:2] == ["--check"]:
        where = Path(sys.argv[2]) if len(sys.argv) > 2 else PAGE
        return int(where.read_text("utf-8") != page())
    PAGE.write_text(page(), "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
