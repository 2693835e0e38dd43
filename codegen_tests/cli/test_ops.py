"""`shaderdsl ops`: the state of formula, evidence and goldens of each op, as a table and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shaderdsl.cli import ops as command
from shaderdsl.ops import definitions
from shaderdsl.ops.records import record_of
from shaderdsl.testing.golden import update

TWO = {n: d for n, d in definitions().items() if n in ("softmax", "fill")}
TABLE = """
[tool.shaderdsl.goldens]
"golden_wgsl/softmax.wgsl" = "shaderdsl.ops:softmax"
"golden_wgsl/softmax.vjp.wgsl" = "shaderdsl.ops:softmax.vjp"
"golden_wgsl/fill.wgsl" = "shaderdsl.ops:fill"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that keeps the goldens of a library of two ops."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(command, "definitions", lambda: TWO)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(TABLE, "utf-8")
    update(tmp_path / "pyproject.toml")
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], code: int) -> list[str]:
    assert command.ops(False) == code
    return capsys.readouterr().out.splitlines()


def as_json(capsys: pytest.CaptureFixture[str], code: int) -> dict[str, Any]:
    assert command.ops(True) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["ok"] is (code == 0)
    return {row["op"]: row for row in found["ops"]}


@pytest.mark.usefixtures("project")
def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    head, fill, softmax, last = printed(capsys, 0)
    assert head.split() == ["op", "evidence", "goldens", "backward"]
    assert fill.split("  ")[0] == "fill"
    assert "1 check " in fill
    assert "1 agrees" in fill
    assert fill.endswith("none: it reads no tensor")
    assert "2 agree" in softmax
    assert "wrong ones caught" in softmax
    assert last == "2 ops, 0 wrong"
    found = as_json(capsys, 0)
    assert found["softmax"]["goldens"] == {"softmax": "agrees", "softmax.vjp": "agrees"}
    assert found["softmax"]["checks"] == len((record_of("softmax") or {})["checks"])
    assert found["softmax"]["wrong_backwards"]["made"] > 10
    assert found["fill"]["without_backward"] == "it reads no tensor"


def test_goldens_that_differ_are_missing_or_not_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "golden_wgsl" / "softmax.wgsl").write_text("// another\n", "utf-8")
    (project / "golden_wgsl" / "softmax.vjp.wgsl").unlink()
    (project / "pyproject.toml").write_text(TABLE.rpartition('"golden_wgsl/fill')[0], "utf-8")
    _, fill, softmax, last = printed(capsys, 1)
    assert "1 not listed" in fill
    assert "1 different, 1 missing" in softmax
    assert last == "2 ops, 2 wrong"
    found = as_json(capsys, 1)
    assert found["softmax"]["goldens"] == {"softmax": "different", "softmax.vjp": "missing"}
    assert not found["softmax"]["ok"]


def test_a_project_without_goldens_of_the_library(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content in ("[project]\n", TABLE.replace("shaderdsl.ops:", "own.py:")):
        (project / "pyproject.toml").write_text(content, "utf-8")
        assert printed(capsys, 0)[0].split() == ["op", "evidence", "backward"]
        assert as_json(capsys, 0)["softmax"]["goldens"] == {}


@pytest.mark.usefixtures("project")
def test_an_op_without_evidence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def records(name: str) -> dict[str, Any] | None:
        return {**(record_of(name) or {}), "formula_sha256": ""} if name == "softmax" else None

    monkeypatch.setattr(command, "record_of", records)
    _, fill, softmax, last = printed(capsys, 1)
    assert "no evidence" in fill
    assert "evidence for another formula" in softmax
    assert last == "2 ops, 2 wrong"
    assert as_json(capsys, 1)["softmax"]["fault"] == "softmax has evidence for another formula"


def test_the_library_has_its_evidence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(as_json(capsys, 0)) == list(definitions())
