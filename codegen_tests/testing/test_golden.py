"""Goldens of a made-up project: found missing, orphaned, different or broken, and written when asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import shaderdsl as sd
from shaderdsl.errors import GoldenError
from shaderdsl.testing.golden import Kind, barriers, check, compare, golden_text, mendable, update
from shaderdsl.testing.golden_table import read_table

KERNELS = """
from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def größe(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 2


@sd.kernel(workgroup_size=4)
def taps(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n"], turns: sd.Static[int]) -> None:
    with k.each_group(x.n) as i:
        for _ in range(turns):
            k.barrier()
        x[i] = k.group_sum(x[i])
"""
TABLE = """
[tool.shaderdsl.goldens]
"golden_wgsl/a.wgsl" = "kernels.py:größe"
"golden_wgsl/b.wgsl" = { target = "kernels.py:taps", dialect = "tint", statics = { turns = 2 } }
"""


@sd.kernel
def meets(k: sd.Kernel) -> None:
    k.barrier()
    k.storage_barrier()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two goldens in the table, in a folder with a space and an accent, and none written."""
    monkeypatch.delenv("CI", raising=False)
    root = tmp_path / "mes données"
    root.mkdir()
    (root / "kernels.py").write_text(KERNELS, "utf-8")
    (root / "pyproject.toml").write_text(TABLE, "utf-8")
    return root


def kinds(project: Path) -> list[tuple[Kind, str]]:
    return [(f.kind, f.file) for f in check(project / "pyproject.toml")]


def test_missing_files_are_found_and_written(project: Path) -> None:
    assert kinds(project) == [(Kind.MISSING, "golden_wgsl/a.wgsl"), (Kind.MISSING, "golden_wgsl/b.wgsl")]
    changed = update(project / "pyproject.toml")
    assert [f.kind for f in changed] == [Kind.MISSING, Kind.MISSING]
    assert kinds(project) == []
    assert update(project / "pyproject.toml") == []


def test_the_header(project: Path) -> None:
    update(project / "pyproject.toml")
    assert (project / "golden_wgsl" / "b.wgsl").read_text("utf-8").splitlines()[:9] == [
        "// shaderdsl golden, format 1",
        "// kernel: kernels.py:taps",
        "// dialect: tint",
        "// statics: turns=2",
        "// bindings: x read_write, params uniform",
        "// barriers: 5",
        "// shared bytes: 16",
        "",
        "struct Params {",
    ]


def test_a_difference_is_a_unified_diff(project: Path) -> None:
    update(project / "pyproject.toml")
    path = project / "golden_wgsl" / "a.wgsl"
    path.write_text(path.read_text("utf-8").replace("2.0f", "3.0f"), "utf-8")
    (finding,) = check(project / "pyproject.toml")
    assert finding.kind is Kind.DIFFERENT
    assert "-  y[i] = x[i] * 3.0f;" in finding.detail
    assert "+  y[i] = x[i] * 2.0f;" in finding.detail


def test_line_ends_of_windows_are_no_difference(project: Path) -> None:
    update(project / "pyproject.toml")
    path = project / "golden_wgsl" / "a.wgsl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert kinds(project) == []


def test_an_edited_kernel_is_read_again(project: Path) -> None:
    update(project / "pyproject.toml")
    kernels = project / "kernels.py"
    kernels.write_text(KERNELS.replace("* 2", "* 4"), "utf-8")
    os.utime(kernels, ns=(1, 1))
    assert kinds(project) == [(Kind.DIFFERENT, "golden_wgsl/a.wgsl")]


def test_a_static_argument_that_the_table_forgets(project: Path) -> None:
    (project / "pyproject.toml").write_text(TABLE.replace("{ turns = 2 }", "{}"), "utf-8")
    broken = check(project / "pyproject.toml")[1]
    assert broken.kind is Kind.BROKEN
    assert broken.detail == (
        "error: taps needs its static parameter turns [target]\nhelp: write statics = { turns = VALUE } in the table"
    )


def test_orphans_are_found_and_only_ours_deleted(project: Path) -> None:
    update(project / "pyproject.toml")
    folder = project / "golden_wgsl"
    (folder / "old.wgsl").write_text((folder / "a.wgsl").read_text("utf-8"), "utf-8")
    (folder / "mine.wgsl").write_text("fn f() {}\n", "utf-8")
    assert kinds(project) == [(Kind.ORPHAN, "golden_wgsl/mine.wgsl"), (Kind.ORPHAN, "golden_wgsl/old.wgsl")]
    assert [mendable(f) for f in check(project / "pyproject.toml")] == [False, True]
    update(project / "pyproject.toml")
    assert sorted(p.name for p in folder.iterdir()) == ["a.wgsl", "b.wgsl", "mine.wgsl"]
    assert kinds(project) == [(Kind.ORPHAN, "golden_wgsl/mine.wgsl")]


def test_a_broken_kernel_does_not_hide_the_others(project: Path) -> None:
    (project / "kernels.py").write_text(KERNELS.replace("x[i] * 2", "x[i] * i"), "utf-8")
    findings = check(project / "pyproject.toml")
    assert [f.kind for f in findings] == [Kind.BROKEN, Kind.MISSING]
    assert "f32 * u32" in findings[0].detail or "f32 and u32" in findings[0].detail
    update(project / "pyproject.toml")
    assert [p.name for p in (project / "golden_wgsl").iterdir()] == ["b.wgsl"]


def test_nothing_is_written_in_ci(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(GoldenError) as caught:
        update(project / "pyproject.toml")
    assert str(caught.value) == (
        "error: goldens are not written where CI is set [golden]\n"
        "help: update them on your machine, read them, commit them"
    )
    assert not (project / "golden_wgsl").exists()


def test_the_text_does_not_depend_on_locale_folder_or_hash_seed(project: Path, tmp_path: Path) -> None:
    update(project / "pyproject.toml")
    program = (
        "import sys; from pathlib import Path; from shaderdsl.testing.golden import check\n"
        "found = check(Path(sys.argv[1])); assert found == [], found"
    )
    # under the C locale Python cannot read an editable install's .pth file that names an accented folder
    checkout = {"PYTHONPATH": str(Path(__file__).parents[2])}
    for extra in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONHASHSEED": "1"}):
        done = subprocess.run(
            [sys.executable, "-c", program, str(project / "pyproject.toml")],
            cwd=tmp_path,
            env={**os.environ, **checkout, **extra},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_compare_and_count(tmp_path: Path) -> None:
    assert compare(tmp_path / "none.wgsl", "a\n") == "--- none.wgsl\n+++ now\n@@ -0,0 +1 @@\n+a"
    (tmp_path / "one.wgsl").write_text("a\n", "utf-8")
    assert compare(tmp_path / "one.wgsl", "a\n") is None
    assert compare(tmp_path / "one.wgsl", "b\n") == "--- one.wgsl\n+++ now\n@@ -1 +1 @@\n-a\n+b"


def test_a_golden_without_a_table() -> None:
    from_module = golden_text(meets)
    assert from_module.splitlines()[1].endswith(":meets")
    assert barriers(meets.lowered()) == 2


BAD = {
    "debug = true": "a.wgsl in [tool.shaderdsl.goldens] has no target",
    'target = "k.py:f", kind = 1': "a.wgsl in [tool.shaderdsl.goldens] has no key kind",
    'target = "k.py:f", dialect = "hlsl"': "a.wgsl in [tool.shaderdsl.goldens] has the dialect 'hlsl', which is neither naga nor tint",
    'target = "k.py:f", statics = 3': "a.wgsl in [tool.shaderdsl.goldens] has statics that are no table",
    'target = "k.py:f", debug = 3': "a.wgsl in [tool.shaderdsl.goldens] has a debug that is neither true nor false",
}


@pytest.mark.parametrize("row", BAD)
def test_malformed_rows(row: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f'[tool.shaderdsl.goldens]\n"a.wgsl" = {{ {row} }}\n', "utf-8")
    with pytest.raises(GoldenError) as caught:
        read_table(tmp_path / "pyproject.toml")
    assert caught.value.message == BAD[row]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[tool.shaderdsl.goldens]\n"a.txt" = "k.py:f"', "a.txt in [tool.shaderdsl.goldens] does not end in .wgsl"),
        (
            '[tool.shaderdsl.goldens]\n"a.wgsl" = 3',
            "a.wgsl in [tool.shaderdsl.goldens] is neither a target nor a table",
        ),
        ("[tool.shaderdsl]\ngoldens = 3", "goldens in pyproject.toml is no table"),
        ("= 3", "pyproject.toml is not TOML"),
    ],
)
def test_malformed_tables(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    with pytest.raises(GoldenError) as caught:
        read_table(tmp_path / "pyproject.toml")
    assert caught.value.message == message


def test_no_table_is_no_golden(tmp_path: Path) -> None:
    assert read_table(tmp_path / "pyproject.toml") == []
    (tmp_path / "pyproject.toml").write_text("[project]\n", "utf-8")
    assert check(tmp_path / "pyproject.toml") == []
