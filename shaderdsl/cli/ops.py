"""`shaderdsl ops`: the ops of the library, each with the state of its formula, its evidence and its goldens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from shaderdsl.cli.golden import counted, project
from shaderdsl.cli.terminal import print_json, print_lines
from shaderdsl.errors import TargetError
from shaderdsl.ops import definitions
from shaderdsl.ops.definition import Definition
from shaderdsl.ops.records import record_of, stale
from shaderdsl.testing.golden import check_golden
from shaderdsl.testing.golden_table import Golden, read_table

LIBRARY = "shaderdsl.ops:"


@dataclass(frozen=True, slots=True)
class Row:
    """An op. fault: why its evidence is none. goldens: the state of each file, by name, empty where the project keeps none of the library."""

    op: str
    fault: str
    without: str
    checks: int
    made: int
    caught: int
    equivalent: int
    goldens: Mapping[str, str]

    @property
    def ok(self) -> bool:
        return not self.fault and all(state == "agrees" for state in self.goldens.values())

    @property
    def evidence(self) -> str:
        return counted(self.checks, "check") if not self.fault else self.fault.removeprefix(f"{self.op} has ")

    @property
    def backward(self) -> str:
        if self.without:
            return f"none: {self.without}"
        same = f", {self.equivalent} equivalent" if self.equivalent else ""
        return f"{self.caught} of {self.made} wrong ones caught{same}"

    @property
    def golden(self) -> str:
        number = Counter(self.goldens.values())
        right = number.pop("agrees", 0)
        agree = [f"{right} agree{'s' * (right == 1)}"] if right else []
        return ", ".join([*agree, *(f"{count} {state}" for state, count in number.items())])


def ops(json: bool) -> int:
    """The library, op by op. 1 where an op has no evidence for its formula, or a golden that differs."""
    kept = goldens(Path.cwd())
    rows = [row_of(d, record_of(d.name), kept) for d in definitions().values()]
    wrong = [r for r in rows if not r.ok]
    if json:
        print_json({"ok": not wrong, "ops": [as_json(r) for r in rows]})
    else:
        print_lines(*table(rows, bool(kept)), f"{len(rows)} ops, {len(wrong)} wrong")
    return 1 if wrong else 0


def goldens(folder: Path) -> list[Golden]:
    """The goldens of the library that the project around a folder keeps."""
    try:
        return [g for g in read_table(project(folder)) if g.target.startswith(LIBRARY)]
    except TargetError:  # no project here
        return []


def row_of(definition: Definition, record: Mapping[str, Any] | None, kept: list[Golden]) -> Row:
    """What is known of an op; the evidence of a stale record does not count."""
    name, fault = definition.name, stale(definition, record)
    if record is None or fault:
        return Row(name, fault, definition.without, 0, 0, 0, 0, {})
    kinds = record["mutations"].values()
    made, caught, same = (sum(k[word] for k in kinds) for word in ("made", "caught", "equivalent"))
    files = {target: state_of(target, kept) for target in wanted(definition)} if kept else {}
    return Row(name, fault, definition.without, len(record["checks"]), made, caught, same, files)


def wanted(definition: Definition) -> list[str]:
    """The targets that have a golden: an op, and its backward if it has one."""
    return [definition.name] if definition.without else [definition.name, f"{definition.name}.vjp"]


def state_of(target: str, kept: list[Golden]) -> str:
    """`agrees`, `not listed`, or what is wrong with the golden's file."""
    golden = next((g for g in kept if g.target == f"{LIBRARY}{target}"), None)
    if golden is None:
        return "not listed"
    finding = check_golden(golden)
    return finding.kind.value if finding is not None else "agrees"


def table(rows: list[Row], kept: bool) -> list[Text]:
    """Columns as wide as what they hold; a wrong op in red."""
    columns: dict[str, Callable[[Row], str]] = {"op": lambda r: r.op, "evidence": lambda r: r.evidence}
    columns |= {"goldens": lambda r: r.golden} if kept else {}
    columns |= {"backward": lambda r: r.backward}
    cells = [list(columns), *([form(r) for form in columns.values()] for r in rows)]
    widths = [max(len(line[n]) for line in cells) for n in range(len(columns))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in cells]
    styles = ["bold", *("" if r.ok else "red" for r in rows)]
    return [Text(line, style=style) for line, style in zip(lines, styles)]


def as_json(row: Row) -> dict[str, object]:
    return {
        "op": row.op,
        "ok": row.ok,
        "fault": row.fault,
        "without_backward": row.without,
        "checks": row.checks,
        "wrong_backwards": {"made": row.made, "caught": row.caught, "equivalent": row.equivalent},
        "goldens": dict(row.goldens),
    }
