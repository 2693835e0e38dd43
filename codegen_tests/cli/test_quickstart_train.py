"""The quickstart as a user meets it: attention or `--train`, and a folder that cannot be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shaderdsl.cli.main import main
from shaderdsl.examples import digits_mlp


def left(monkeypatch: pytest.MonkeyPatch, *options: str) -> object:
    """What the command leaves: an exit code, or the message that ends it."""
    monkeypatch.setattr(sys, "argv", ["shaderdsl", "quickstart", *options])
    with pytest.raises(SystemExit) as caught:
        main()
    return caught.value.code


def test_train_trains_the_example(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(digits_mlp, "STEPS", 2)
    assert left(monkeypatch, "--train", "--device", "wgpu") == 0
    said = capsys.readouterr()
    assert said.out.startswith("accuracy   ")
    assert "device     wgpu, " in said.out
    assert "2/2" in said.err
    assert (tmp_path / "quickstart-output").is_dir()


def test_without_train_it_classifies(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert left(monkeypatch, "--device", "wgpu", "--out", str(tmp_path)) == 0
    assert capsys.readouterr().out.startswith("accuracy   98.65% (293 of 297 handwritten digits)")
    assert (tmp_path / "attention.wgsl").is_file()


@pytest.mark.parametrize("options", [(), ("--train",)], ids=["attention", "train"])
def test_a_folder_that_cannot_be_is_one_line(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    code = left(monkeypatch, *options, "--device", "wgpu", "--out", "file")
    said = capsys.readouterr()
    assert code in (1, "cannot write to file: File exists")
    assert said.out == ""
    assert len((said.err or str(code)).splitlines()) == 1
