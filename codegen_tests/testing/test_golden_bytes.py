"""The same bytes every time: in any order, from four threads at once, after other kernels, optimised, and for any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shaderdsl.targets import file_module
from shaderdsl.testing.golden import read, text_of
from shaderdsl.testing.golden_table import Golden, read_table

ROOT = Path(__file__).parents[2]
TABLE = read_table(ROOT / "pyproject.toml")
FILES = {g.file: read(g.path) for g in TABLE}


def texts(goldens: list[Golden]) -> dict[str, str]:
    return {g.file: text_of(g) for g in goldens}


def test_in_reverse_order_of_definition() -> None:
    file_module.cache_clear()
    assert texts(TABLE[::-1]) == FILES


def test_from_four_threads_at_once() -> None:
    file_module.cache_clear()
    quarters = [TABLE[n:] + TABLE[:n] for n in range(0, len(TABLE), len(TABLE) // 4)][:4]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(texts, quarters))
    assert [each == FILES for each in found] == [True] * 4


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONHASHSEED": "random", "PYTHONOPTIMIZE": "1"},
    ],
    ids=["seed 0", "C locale", "optimised"],
)
def test_in_other_processes(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "shaderdsl", "golden"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"{len(TABLE)} goldens agree\n"), done.stdout + done.stderr
