"""The pytest plugin in a user's own project: run as she runs it, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def scale(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 2


@sd.kernel
def taps(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n"], turns: sd.Static[int]) -> None:
    with k.each(x.n) as i:
        x[i] *= float(turns)


def test_scale(shader_golden):
    shader_golden(scale)


def test_taps(shader_golden):
    shader_golden(taps, name="taps_3", dialect="tint", turns=3)
"""
TABLED = """
def test_goldens(golden_file):
    golden_file.check()
"""
TABLE = """
[tool.shaderdsl.goldens]
"golden_wgsl/tabled.wgsl" = "test_it.py:scale"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_it.py").write_text(TESTS, "utf-8")
    return tmp_path


def run(project: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest as a user runs it, with warnings as errors."""
    given = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", *options],
        cwd=project,
        env={**given, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_missing_then_written_then_equal_then_different(project: Path) -> None:
    first = run(project)
    assert first.returncode == 1
    assert "missing: golden_wgsl/scale.wgsl" in first.stdout
    assert "run pytest --update-golden" in first.stdout
    updated = run(project, "--update-golden", "-rP")
    assert updated.returncode == 0, updated.stdout
    assert "missing: golden_wgsl/taps_3.wgsl" in updated.stdout
    assert "// kernel: test_it.py:taps\n// dialect: tint\n// statics: turns=3\n// kept by: shader_golden\n" in (
        project / "golden_wgsl" / "taps_3.wgsl"
    ).read_text("utf-8")
    assert run(project).returncode == 0
    golden = project / "golden_wgsl" / "scale.wgsl"
    golden.write_text(golden.read_text("utf-8").replace("2.0f", "3.0f"), "utf-8")
    changed = run(project)
    assert changed.returncode == 1
    assert "-  y[i] = x[i] * 3.0f;\n" in changed.stdout


def test_refused_in_ci(project: Path) -> None:
    done = run(project, "--update-golden", CI="1")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--update-golden is refused where CI is set" in done.stderr
    assert not (project / "golden_wgsl").exists()


def test_the_table_gives_one_test_a_file(project: Path) -> None:
    (project / "test_it.py").write_text(TESTS.partition("def test_taps")[0] + TABLED, "utf-8")
    (project / "pyproject.toml").write_text(TABLE, "utf-8")
    missing = run(project)
    assert missing.returncode == 1
    assert "2 failed" in missing.stdout
    assert run(project, "--update-golden").returncode == 0
    assert [p.name for p in (project / "golden_wgsl").iterdir()] == ["tabled.wgsl"]
    assert "2 passed" in run(project).stdout
    (project / "golden_wgsl" / "old.wgsl").write_text("fn f() {}\n", "utf-8")
    orphaned = run(project)
    assert orphaned.returncode == 1
    assert "orphan: golden_wgsl/old.wgsl" in orphaned.stdout
    kept = run(project, "--update-golden")
    assert kept.returncode == 1
    assert "shaderdsl did not write it: keep it in another folder than the goldens" in kept.stdout


def test_under_xdist_and_without_a_pyproject(project: Path) -> None:
    assert run(project, "--update-golden").returncode == 0
    done = run(project, "-n", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_no_driver_and_no_compiler_is_imported_without_need(tmp_path: Path) -> None:
    (tmp_path / "test_plain.py").write_text(
        "import sys\n\ndef test_it():\n"
        "    loaded = {'wgpu', 'wgpudawn', 'sympy', 'numpy', 'shaderdsl.program'} & set(sys.modules)\n"
        "    assert loaded == set() and 'shaderdsl.testing.plugin' in sys.modules\n",
        "utf-8",
    )
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout
