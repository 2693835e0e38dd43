"""What the fixtures of the pytest plugin give: goldens that fail a test with a unified diff, or are written when asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from shaderdsl.errors import GoldenError
from shaderdsl.program import KernelProgram
from shaderdsl.testing.golden import (
    KEPT,
    Finding,
    Kind,
    check_golden,
    compare,
    delete_orphan,
    golden_text,
    mendable,
    orphans,
    refuse_in_ci,
    text_of,
    write,
)
from shaderdsl.testing.golden_table import FOLDER, Golden, folders, read_table

HINT = "run pytest --update-golden, read the change and commit it"


def report(text: str) -> None:
    """What an update changed, shown with the test's output (`-rP` or `-s`)."""
    print(text)


@dataclass(frozen=True, slots=True)
class GoldenFile:
    """One file of the table (`golden`), or an orphan beside them."""

    path: Path
    file: str
    golden: Golden | None
    orphan: Finding | None
    update: bool

    def check(self) -> None:
        """Fail unless the file is what its kernel is now; with --update-golden write it, or delete the orphan."""
        finding = check_golden(self.golden) if self.golden is not None else self.orphan
        if finding is None:
            return
        if self.update and mendable(finding):
            self._settle(finding)
        else:
            pytest.fail(f"{finding}\n{HINT}" if mendable(finding) else str(finding), pytrace=False)

    def _settle(self, finding: Finding) -> None:
        refuse_in_ci()
        report(str(finding))
        if self.golden is not None:
            write(self.golden.path, text_of(self.golden))
        else:
            delete_orphan(self.path)


def golden_files(root: Path, update: bool) -> list[GoldenFile]:
    """The files of the table in its order, then the orphans."""
    table = read_table(root / "pyproject.toml")
    listed = [GoldenFile(g.path, g.file, g, None, update) for g in table]
    return listed + [GoldenFile(root / f.file, f.file, None, f, update) for f in orphans(table)]


@dataclass(frozen=True, slots=True)
class ShaderGolden:
    """The `shader_golden` fixture."""

    root: Path
    update: bool

    def __call__(
        self, program: KernelProgram, name: str | None = None, dialect: str = "naga", **statics: object
    ) -> None:
        """Compare `program` with its golden: the table's if it lists this kernel, else `golden_wgsl/<name>.wgsl`."""
        table = read_table(self.root / "pyproject.toml")
        target = target_of(program, self.root)
        wanted = (target, dialect, statics, False)
        known = next((g for g in table if (g.target, g.dialect, dict(g.statics), g.debug) == wanted), None)
        if known is not None and name is None:
            path, text = known.path, golden_text(program, dialect, statics, target=target)
        else:
            path = self._folder(table) / f"{name or program.__name__}.wgsl"
            if any(path == g.path for g in table):
                raise GoldenError(f"{path.name} belongs to another kernel", hints=["give name="])
            text = golden_text(program, dialect, statics, target=target, extra=[KEPT])
        self._settle(path, text)

    def _folder(self, table: list[Golden]) -> Path:
        return folders(table)[0] if table else self.root / FOLDER

    def _settle(self, path: Path, text: str) -> None:
        difference = compare(path, text)
        if difference is None:
            return
        kind = Kind.DIFFERENT if path.is_file() else Kind.MISSING
        finding = Finding(kind, path.relative_to(self.root).as_posix(), difference)
        if not self.update:
            pytest.fail(f"{finding}\n{HINT}", pytrace=False)
        refuse_in_ci()
        report(str(finding))
        write(path, text)


def target_of(program: KernelProgram, root: Path) -> str:
    """How a table would name this kernel: by its file under `root`, else by its module."""
    file = Path(program._function.__code__.co_filename).resolve()
    if file.is_relative_to(root.resolve()):
        return f"{file.relative_to(root.resolve()).as_posix()}:{program.__name__}"
    return f"{program.__module__}:{program.__name__}"
