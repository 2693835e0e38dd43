"""The reference holds every public name and method, and is what its script writes."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shaderdsl
from codegen_tests.docs.pages import ROOT

SCRIPT = ROOT / "docs" / "make_reference.py"
TEXT = (ROOT / "docs" / "reference.md").read_text("utf-8")
CLASSES = (
    "Atomic",
    "DeviceArray",
    "In",
    "InOut",
    "Kernel",
    "KernelProgram",
    "Memory",
    "Out",
    "Place",
    "Shader",
    "Table",
    "Var",
)


def section(text: str, name: str) -> str:
    """What the page says under `### sd.name`."""
    _, found, rest = text.partition(f"### `sd.{name}`\n")
    return re.split(r"^##", rest, maxsplit=1, flags=re.MULTILINE)[0] if found else ""


def missing_names(text: str) -> set[str]:
    return {name for name in shaderdsl.__all__ if f"`sd.{name}`" not in text}


def missing_methods(text: str, name: str) -> set[str]:
    """Public methods and properties of a class that its section lacks."""
    cls: type = getattr(shaderdsl, name)
    own = [c for c in cls.__mro__ if c.__module__.startswith("shaderdsl")]
    members = {n for c in own for n, m in vars(c).items() if callable(m) or isinstance(m, property)}
    return {n for n in members if not n.startswith("_") and not re.search(rf"`\.{n}[`(]", section(text, name))}


def test_every_public_name_is_there() -> None:
    assert missing_names(TEXT) == set()


def test_nothing_else_is_there() -> None:
    assert set(re.findall(r"^### `sd\.(\w+)`", TEXT, re.MULTILINE)) <= set(shaderdsl.__all__)


@pytest.mark.parametrize("name", CLASSES)
def test_every_method_is_there(name: str) -> None:
    assert inspect.isclass(getattr(shaderdsl, name))
    assert missing_methods(TEXT, name) == set()


def test_a_missing_name_and_method_are_found() -> None:
    assert "softplus" in missing_names(TEXT.replace("`sd.softplus`", ""))
    assert "group_sum" in missing_methods(TEXT.replace("`.group_sum(", ""), "Kernel")


def checked(*arguments: str) -> int:
    return subprocess.run([sys.executable, str(SCRIPT), "--check", *arguments], capture_output=True).returncode


def test_the_page_is_current() -> None:
    assert checked() == 0, "run python docs/make_reference.py"


def test_an_old_page_is_found(tmp_path: Path) -> None:
    old = tmp_path / "reference.md"
    old.write_text(TEXT.replace("The square root", "The root"), "utf-8")
    assert checked(str(old)) == 1
