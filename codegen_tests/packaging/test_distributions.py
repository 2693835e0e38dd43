"""Wheel, sdist and editable install: built from a copy of the tree, installed into fresh environments, imported from outside the tree.

The environments borrow this one's dependencies by a `.pth` file, so that nothing is downloaded but setuptools.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info", "build", "dist"
)
FLAVOURS = ("wheel", "sdist", "editable")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment, used from outside the tree."""

    folder: Path

    @property
    def python(self) -> Path:
        windows = self.folder / "Scripts" / "python.exe"
        return windows if windows.exists() else self.folder / "bin" / "python"

    def run(self, *arguments: str | Path) -> str:
        done = subprocess.run([self.python, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def pip(self, *arguments: str | Path) -> None:
        self.run("-m", "pip", "--quiet", "--disable-pip-version-check", "install", *arguments)


def environment(folder: Path) -> Environment:
    """A fresh environment with pip alone."""
    venv.create(folder, with_pip=True)
    return Environment(folder)


def lend_dependencies(made: Environment) -> Environment:
    """Put this environment's packages at the end of the other's path; its `.pth` files do not run, so an editable shaderdsl stays out of sight."""
    packages = Path(made.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (packages / "dependencies.pth").write_text(str(Path(numpy.__file__).parents[1]) + "\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree under a name with a space and an accent."""
    copy = tmp_path_factory.mktemp("packaging") / "a cópy"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT, symlinks=True)
    return copy


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Where distributions are built, with the backend that pyproject.toml asks for."""
    made = environment(tmp_path_factory.mktemp("builder"))
    made.pip(*tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"])
    return made


def build(builder: Environment, tree: Path, kind: str, target: Path) -> Path:
    """Call the build backend as any front end does, in the folder of the project."""
    code = f"import os, setuptools.build_meta as b; os.chdir({str(tree)!r}); print(b.build_{kind}({str(target)!r}))"
    return target / builder.run("-c", code).splitlines()[-1]


@pytest.fixture(scope="module")
def sdist(builder: Environment, tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(builder, tree, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(builder: Environment, tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(builder, tree, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module", params=FLAVOURS)
def installed(
    request: pytest.FixtureRequest, builder: Environment, tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """The project installed in one of the three ways."""
    folder = tmp_path_factory.mktemp(str(request.param))
    if request.param == "editable":
        builder.pip("--no-deps", "--no-build-isolation", "--editable", tree)
        return lend_dependencies(builder)
    made = environment(folder / "venv")
    if request.param == "wheel":
        made.pip("--no-deps", "--no-index", request.getfixturevalue("wheel"))
    else:
        made.pip(
            "--no-deps",
            "--no-index",
            build(builder, unpacked(request.getfixturevalue("sdist"), folder), "wheel", folder),
        )
    return lend_dependencies(made)


def unpacked(sdist: Path, folder: Path) -> Path:
    """The source tree that an sdist holds."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.glob("shaderdsl-*")
    return source


def test_the_public_names_and_the_ops(installed: Environment) -> None:
    printed = installed.run(
        "-c", "import shaderdsl, shaderdsl.ops; print(shaderdsl.__version__, shaderdsl.ops.__name__)"
    )
    assert printed.split()[1] == "shaderdsl.ops"


def test_types_travel(installed: Environment) -> None:
    code = "from importlib.resources import files; print(files('shaderdsl').joinpath('py.typed').is_file())"
    assert installed.run("-c", code).strip() == "True"


def test_python_m_shaderdsl(installed: Environment) -> None:
    assert "quickstart" in installed.run("-m", "shaderdsl", "--help")


def test_every_module_arrives(wheel: Path, tree: Path) -> None:
    packed = {
        name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("shaderdsl/") and name.endswith(".py")
    }
    own = {
        f"shaderdsl/{path.relative_to(tree / 'shaderdsl').as_posix()}" for path in (tree / "shaderdsl").rglob("*.py")
    }
    linked = {
        f"shaderdsl/{path.relative_to(tree).as_posix()}"
        for name in ("examples", "ops")
        for path in (tree / name).rglob("*.py")
    }
    assert packed == own | linked


def test_grammars_arrive(wheel: Path, sdist: Path, tree: Path) -> None:
    grammars = {path.relative_to(tree).as_posix() for path in (tree / "shaderdsl").rglob("*.lark")}
    assert grammars <= set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        assert grammars <= {name.partition("/")[2] for name in archive.getnames()}


def test_the_licence_travels(wheel: Path) -> None:
    assert any(name.endswith("licenses/LICENSE") for name in zipfile.ZipFile(wheel).namelist())


def test_this_python_is_supported() -> None:
    assert sys.version_info >= (3, 11)
