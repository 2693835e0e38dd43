"""pyproject.toml says what is on the disk, and no dependency lacks a wheel on a platform that we name."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

PLATFORMS = {
    "windows": ["win_amd64"],
    "macos": [f"macosx_{major}_0_arm64" for major in range(14, 10, -1)],
    "linux-x86_64": ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"],
    "linux-aarch64": [
        "manylinux_2_28_aarch64",
        "manylinux_2_27_aarch64",
        "manylinux_2_17_aarch64",
        "manylinux2014_aarch64",
    ],
}
VERSIONS = ("3.11", "3.12", "3.13")


LINKED = ("examples", "ops")
"""Folders beside shaderdsl/ that are packages of it."""


def packages_on_disk(root: Path) -> set[str]:
    """Each folder of Python files under shaderdsl/, and the linked ones by the names that they are imported as."""
    own = {
        path.parent.relative_to(root)
        for path in (root / "shaderdsl").rglob("*.py")
        if not set(LINKED) & set(path.relative_to(root).parts)
    }
    linked = {path.parent.relative_to(root) for name in LINKED for path in (root / name).rglob("*.py")}
    return {".".join(path.parts) for path in own} | {"shaderdsl." + ".".join(path.parts) for path in linked}


def test_the_package_list_is_the_disk() -> None:
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == packages_on_disk(ROOT)


def test_a_new_folder_is_noticed(tmp_path: Path) -> None:
    for path in ("shaderdsl/a.py", "shaderdsl/new/b.py", "ops/c.py", "ops/nn/d.py", "examples/e.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert packages_on_disk(tmp_path) == {
        "shaderdsl",
        "shaderdsl.new",
        "shaderdsl.ops",
        "shaderdsl.ops.nn",
        "shaderdsl.examples",
    }


@pytest.mark.parametrize("name", LINKED)
def test_a_folder_is_linked(name: str) -> None:
    assert (ROOT / "shaderdsl" / name).resolve() == (ROOT / name).resolve()


def test_every_dependency_has_a_lower_bound() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    requirements = [*PROJECT["project"]["dependencies"], *(name for extra in extras.values() for name in extra)]
    assert [name for name in requirements if ">=" not in name] == []


def resolve(requirements: list[str], version: str, tags: list[str], report: Path) -> str:
    """Ask pip what it would install there, wheels only; its complaint, or nothing."""
    platforms = [f"--platform={tag}" for tag in tags]
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--dry-run",
        "--ignore-installed",
    ]
    command += [
        "--only-binary=:all:",
        f"--python-version={version}",
        f"--target={report.parent / 'nowhere'}",
        f"--report={report}",
    ]
    done = subprocess.run([*command, *platforms, *requirements], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_wheels_exist(platform: str, version: str, tmp_path: Path) -> None:
    requirements = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["dawn"]]
    report = tmp_path / "report.json"
    assert resolve(requirements, version, PLATFORMS[platform], report) == ""
    names = {item["metadata"]["name"].lower() for item in json.loads(report.read_text(encoding="utf-8"))["install"]}
    assert {"wgpu", "wgpudawn", "numpy", "sympy", "lark", "typer", "rich"} <= names


@pytest.mark.slow
def test_a_platform_without_wheels_is_noticed(tmp_path: Path) -> None:
    assert "wgpu" in resolve(["wgpu>=0.32"], "3.11", ["manylinux2014_s390x"], tmp_path / "report.json")
