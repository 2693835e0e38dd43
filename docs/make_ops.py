"""Write docs/ops.md: every op of the library, its formula and its derived backward as mathematics.

python docs/make_ops.py              # write the page
python docs/make_ops.py --check      # status 1 where the page is not current; a path after it is another page
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from shaderdsl.ops import FAMILIES
from shaderdsl.ops.definition import Definition
from shaderdsl.ops.records import record_of
from shaderdsl.spec.latex import latex_spec
from shaderdsl.spec.parse import parse_spec

PAGE = Path(__file__).parent / "ops.md"
HEAD = """\
# The ops of the library

Each op is a formula; its backward is derived, never written, and held to recorded evidence: `shaderdsl gradcheck` takes it anew, `shaderdsl ops` lists
its state. `from shaderdsl import ops` has them by name: `ops.softmax(x)`, `ops.softmax.vjp(x=x, d_y=d_y)["x"]`; `ops.softmax.latex` is what stands here.

How to read: $\\partial x$ is the gradient of the loss by $x$; $N_j$ is the extent of $j$; $[c]$ is 1 where $c$ holds, and what is multiplied by it counts
for nothing elsewhere; a read out of range is 0, or what follows the semicolon; $\\ldots$ among indices stands for any leading axes, of which a backward
is shown with one, $b$. The stages of the forward that a backward computes again are not repeated. The page is written by `docs/make_ops.py`.
"""


def block(language: str, text: str) -> list[str]:
    return [f"```{language}", text, "```", ""]


def backward(definition: Definition, record: dict[str, Any]) -> str:
    """The stages that the derivation added."""
    spec = parse_spec(definition.name, definition.formula)
    own = {t.name for stage in spec.stages for t in stage.targets}
    return latex_spec(parse_spec(f"{definition.name}.vjp", "\n".join(record["backward"])), own)


def section(definition: Definition) -> list[str]:
    """The part of the page for one op."""
    lines = [f"### `ops.{definition.name}`", "", *block("text", definition.formula.rstrip())]
    lines += block("math", latex_spec(parse_spec(definition.name, definition.formula)))
    record = record_of(definition.name)
    if record is None or definition.without:
        return [*lines, f"No backward: {definition.without or 'nothing is recorded'}.", ""]
    kinds = record["mutations"].values()
    made, same = sum(k["made"] for k in kinds), sum(k["equivalent"] for k in kinds)
    shown = [f"identities: {', '.join(definition.identities)}"] if definition.identities else []
    kept = [f"{made - same} wrong backwards caught", *([f"{same} proved to be equivalent"] if same else []), *shown]
    return [*lines, f"Backward ({'; '.join(kept)}):", "", *block("math", backward(definition, record))]


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
