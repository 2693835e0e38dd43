"""The code of the README and the tutorial in a user's files is clean under basedpyright strict, mypy --strict and ruff's default rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen_tests.docs.pages import ROOT, blocks

SETTINGS = f"""[tool.basedpyright]
typeCheckingMode = "strict"
extraPaths = ['{ROOT}']

[tool.mypy]
strict = true
mypy_path = '{ROOT}'

[[tool.mypy.overrides]]
module = "shaderdsl.*"
follow_imports = "silent"
"""
"""The package is found as if it were installed: type checkers do not follow the import hooks of an editable one."""
TOOLS = {
    "basedpyright": ["basedpyright", "."],
    "mypy": ["mypy", "--strict", "--no-incremental", "."],
    "ruff": ["ruff", "check", "--isolated", "--no-cache", "."],
}


def user_files(folder: Path) -> list[Path]:
    """Both pages as a user's project: the blocks with a name as their files, all others of a page together as one."""
    for page in (ROOT / "README.md", ROOT / "docs" / "tutorial.md"):
        together: list[str] = []
        for block in blocks(page.read_text("utf-8")):
            if block.language == "python" and block.file is None:
                together.append(block.text)
            elif block.language == "python":
                (folder / str(block.file)).write_text(block.text, "utf-8")
        (folder / f"{page.stem.lower()}.py").write_text("\n\n".join(together), "utf-8")
    (folder / "pyproject.toml").write_text(SETTINGS, "utf-8")
    return sorted(folder.glob("*.py"))


def complaints(tool: str, folder: Path) -> str:
    """What a tool says of the files of a folder, or nothing."""
    done = subprocess.run(
        [sys.executable, "-m", *TOOLS[tool]], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("tool", TOOLS)
def test_a_users_files_are_clean(tool: str, tmp_path: Path) -> None:
    files = user_files(tmp_path)
    assert [f.name for f in files] == ["kernels.py", "readme.py", "test_kernels.py", "tutorial.py"]
    assert complaints(tool, tmp_path) == ""


@pytest.mark.parametrize("tool", TOOLS)
def test_a_fault_is_found(tool: str, tmp_path: Path) -> None:
    user_files(tmp_path)
    fault = "import os\n\nimport shaderdsl as sd\n\nx: sd.f32 = sd.format_f32(1.0)\n"
    (tmp_path / "fault.py").write_text(fault, "utf-8")
    assert "fault.py" in complaints(tool, tmp_path)
