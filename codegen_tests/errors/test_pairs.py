"""Each bad program raises exactly the message that stands beside it.

SHADERDSL_UPDATE_ERRORS=1 pytest codegen_tests/errors    # writes the messages anew; refused in CI
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from codegen_tests.errors.running import PROGRAMS, message_of, name_of, programs

UPDATE = "SHADERDSL_UPDATE_ERRORS"
HEADLINE = re.compile(r"(?:(?:[a-z_]+/\w+\.py|<generated>):\d+:\d+: )?error: (?P<sentence>.+) \[[a-z]+\]")


def compare(program: Path, message: str) -> None:
    """The message must be that of the file; or becomes it, where the user asks for an update."""
    expected = program.with_suffix(".txt")
    if os.environ.get(UPDATE):
        if os.environ.get("CI"):
            pytest.fail(f"{UPDATE} is refused in CI: messages are written on a desk and read in a review")
        expected.write_text(message, encoding="utf-8", newline="\n")
    if not expected.exists():
        pytest.fail(f"{name_of(program)} has no message: run with {UPDATE}=1")
    assert message == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("program", programs(), ids=name_of)
def test_program_raises_its_message(program: Path) -> None:
    compare(program, message_of(program))


def test_every_message_has_a_program() -> None:
    orphans = [p.name for p in PROGRAMS.glob("*/*.txt") if not p.with_suffix(".py").exists()]
    assert orphans == []


def test_there_are_enough_programs() -> None:
    assert len(programs()) >= 60


@pytest.mark.parametrize("program", programs(), ids=name_of)
def test_message_is_in_good_form(program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    assert faults_of(program.with_suffix(".txt").read_text(encoding="utf-8"), text) == []


def faults_of(message: str, program: str = "") -> list[str]:
    """What is wrong with a message's form: one lower-case sentence (names of the program keep theirs) without a full stop, with a place, and a fix or a reason."""
    found = HEADLINE.match(message)
    if found is None:
        return ["the first line is no headline"]
    sentence = found["sentence"]
    faults: list[str] = []
    if sentence.endswith(".") or ". " in sentence:
        faults.append("a full stop")
    word = re.split(r"\W", sentence)[0]
    if word[:1].isupper() and word not in program:
        faults.append("a capital")
    if ":" not in message.split(" ", 1)[0].removesuffix(":"):
        faults.append("no place")
    if "\nhelp: " not in message and "\nnote: " not in message:
        faults.append("neither help nor note")
    return faults


def test_form_is_checked() -> None:
    assert faults_of("a/b.py:1:1: error: Bad thing. Very [type]\nhelp: x\n") == ["a full stop", "a capital"]
    assert faults_of("error: bad [launch]\n") == ["no place", "neither help nor note"]


def test_a_program_that_ends_well_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="raises nothing"):
        message_of(write(tmp_path, "good = 1"))


def test_a_foreign_exception_is_no_message(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        message_of(write(tmp_path, "1 / 0"))


def test_a_wrong_message_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(UPDATE, raising=False)
    program = write(tmp_path, "")
    program.with_suffix(".txt").write_text("another\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        compare(program, "error: bad [type]\n")


def test_an_update_is_refused_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UPDATE, "1")
    monkeypatch.setenv("CI", "true")
    program = write(tmp_path, "")
    with pytest.raises(pytest.fail.Exception, match="refused in CI"):
        compare(program, "error: bad [type]\n")
    assert not program.with_suffix(".txt").exists()


def write(folder: Path, text: str) -> Path:
    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    return path
