"""The page of the ops is what its script writes, and shows every op."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from codegen_tests.docs.pages import ROOT
from shaderdsl.ops import definitions

SCRIPT = ROOT / "docs" / "make_ops.py"
TEXT = (ROOT / "docs" / "ops.md").read_text("utf-8")


def checked(*arguments: str) -> int:
    return subprocess.run([sys.executable, str(SCRIPT), "--check", *arguments], capture_output=True).returncode


def test_the_page_is_current() -> None:
    assert checked() == 0, "run python docs/make_ops.py"


def test_an_old_page_is_found(tmp_path: Path) -> None:
    old = tmp_path / "ops.md"
    old.write_text(
        TEXT.replace(r"\partial x_{b,j} &= y_{b,j}\,(\partial y_{b,j} - p_{b})", r"\partial x_{b,j} &= 0"), "utf-8"
    )
    assert old.read_text("utf-8") != TEXT
    assert checked(str(old)) == 1


def test_every_op_is_shown_with_its_backward() -> None:
    for name, definition in definitions().items():
        shown = TEXT.partition(f"### `ops.{name}`\n")[2].partition("\n##")[0]
        assert definition.formula.rstrip() in shown
        assert shown.count("```math\n") == (1 if definition.without else 2), name
        assert "No backward: " in shown if definition.without else r"\partial" in shown, name
