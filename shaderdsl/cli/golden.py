"""`shaderdsl golden`: the goldens of the project in the current folder, compared or written."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from shaderdsl.cli.terminal import print_error, print_json, print_lines
from shaderdsl.errors import GoldenError, TargetError
from shaderdsl.testing.golden import Finding, Kind, check, mendable, refuse_in_ci, update
from shaderdsl.testing.golden_table import Golden, read_table

STYLES = {"+": "green", "-": "red", "@": "cyan"}
DONE = {Kind.MISSING: "wrote", Kind.DIFFERENT: "wrote", Kind.ORPHAN: "deleted"}


def golden(updating: bool, json: bool) -> int:
    """Check or update. 0: all agree or were written; 1: something differs, or a kernel does not compile; 2: nothing to do it with."""
    pyproject = project(Path.cwd())
    table = read_table(pyproject)
    if not table:
        raise TargetError(
            f"{pyproject} lists no goldens",
            hints=['add [tool.shaderdsl.goldens] with "golden_wgsl/scale.wgsl" = "kernels.py:scale"'],
        )
    if updating and not may_update():
        return 2
    found = update(pyproject) if updating else check(pyproject)
    wrong = check(pyproject) if updating and found else found
    if json:
        print_json(as_json(table, found, wrong, updating))
    else:
        show(table, found, wrong, updating)
    return 1 if wrong else 0


def project(folder: Path) -> Path:
    """The pyproject.toml of the current folder or of the nearest one above."""
    for candidate in (folder, *folder.parents):
        if (candidate / "pyproject.toml").is_file():
            return candidate / "pyproject.toml"
    raise TargetError(f"there is no pyproject.toml in {folder} or above")


def may_update() -> bool:
    try:
        refuse_in_ci()
    except GoldenError as error:
        print_error(error)
        return False
    return True


def as_json(table: list[Golden], found: list[Finding], wrong: list[Finding], updating: bool) -> dict[str, object]:
    rows = [{"kind": f.kind.value, "file": f.file, "detail": f.detail} for f in found]
    return {"ok": not wrong, "goldens": len(table), "changes" if updating else "findings": rows}


def show(table: list[Golden], found: list[Finding], wrong: list[Finding], updating: bool) -> None:
    """Each finding with its diff, then one line of summary."""
    for finding in found:
        word = DONE[finding.kind] if updating and mendable(finding) else finding.kind.value
        print_lines(Text(f"{word}: {finding.file}", style="bold"), *map(coloured, finding.detail.splitlines()))
    count = counted(len(table), "golden")
    mended = [f for f in found if mendable(f)]
    if updating:
        summary = f"{count}, {len(mended)} changed" + (f", {len(wrong)} still wrong" if wrong else "")
    elif found:
        summary = f"{count}, {counted(len(found), 'finding')}" + (": run shaderdsl golden --update" if mended else "")
    else:
        summary = f"{count} agree{'s' * (len(table) == 1)}"
    print_lines(summary)


def counted(number: int, what: str) -> str:
    """`1 golden`, `2 goldens`."""
    return f"{number} {what}{'s' * (number != 1)}"


def coloured(line: str) -> Text:
    return Text(line, style=STYLES.get(line[:1], ""))
