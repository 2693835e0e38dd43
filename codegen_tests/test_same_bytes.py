"""The text is the same bytes, whatever surrounds it: hash seeds, locales, -O, order, threads, other Pythons."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "same_bytes.py"
SURROUNDINGS: dict[str, tuple[dict[str, str], list[str], str]] = {
    "seed 0": ({"PYTHONHASHSEED": "0"}, [], "forwards"),
    "seed 1": ({"PYTHONHASHSEED": "1"}, [], "forwards"),
    "random seed": ({"PYTHONHASHSEED": "random"}, [], "forwards"),
    "the C locale": ({"LC_ALL": "C", "PYTHONUTF8": "0"}, [], "forwards"),
    "cp1252": ({"PYTHONIOENCODING": "cp1252"}, [], "forwards"),
    "python -O": ({}, ["-O"], "forwards"),
    "the other order": ({}, [], "backwards"),
    "traced before": ({}, [], "twice"),
    "four threads": ({}, [], "threads"),
}
OTHERS = ("3.11", "3.12", "3.13")
NEEDED = ("numpy", "lark")
"""What making text needs: sympy only derives, and the library's backwards are on record."""


def run(python: str, options: list[str], order: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [python, *options, str(SCRIPT), order],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@lru_cache(maxsize=1)
def expected() -> str:
    return run(sys.executable, [], "forwards", {"PYTHONHASHSEED": "7"})


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_the_text_does_not_depend_on(name: str) -> None:
    environment, options, order = SURROUNDINGS[name]
    assert run(sys.executable, options, order, environment) == expected()


def other_pythons() -> dict[str, str]:
    """Interpreters of the supported versions on this machine, but for the one that runs the tests."""
    found: dict[str, str] = {}
    for version in OTHERS:
        pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
        path = shutil.which(f"python{version}") or (str(pyenv[-1]) if pyenv else None)
        if path is not None and not works(path, version):
            path = str(pyenv[-1]) if pyenv else None
        if path is not None and version != f"{sys.version_info.major}.{sys.version_info.minor}":
            found[version] = path
    return found


def works(path: str, version: str) -> bool:
    """Whether a command is that Python: a shim of a version manager may name one that is not chosen."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() == version


@pytest.mark.slow
def test_the_text_is_the_same_on_every_python_here(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    pythons = other_pythons()
    for version, path in pythons.items():
        venv = tmp_path / version
        subprocess.run([path, "-m", "venv", str(venv)], check=True)
        python = venv / "bin" / "python"
        subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *NEEDED], check=True)
        assert run(str(python), [], "forwards", {}) == expected(), version
    compared = ", ".join([f"{sys.version_info.major}.{sys.version_info.minor}", *pythons])
    record_property("summary", f"goldens are the same bytes under Python {compared}")
