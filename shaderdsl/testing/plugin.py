"""The pytest plugin, loaded wherever shaderdsl is installed: goldens of kernels as tests.

    def test_scale(shader_golden: ShaderGolden) -> None:
        shader_golden(scale)                        # golden_wgsl/scale.wgsl, or the file that the table gives it

    def test_goldens(golden_file: GoldenFile) -> None:
        golden_file.check()                         # once for each file of [tool.shaderdsl.goldens], and each orphan

`pytest --update-golden` writes the files (never where CI is set) and prints what changed. Nothing of shaderdsl is imported until a test
asks for a golden.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from shaderdsl.testing.golden_fixtures import GoldenFile, ShaderGolden

OPTION = "--update-golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden`."""
    group = parser.getgroup("shaderdsl")
    group.addoption(OPTION, action="store_true", default=False, help="write golden WGSL files instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to write goldens in continuous integration."""
    if config.getoption(OPTION) and os.environ.get("CI"):
        raise pytest.UsageError(f"{OPTION} is refused where CI is set: update goldens on your machine and commit them")


def fixtures() -> Any:
    """The room behind the fixtures, imported when a test first wants it: most test runs never do."""
    return importlib.import_module("shaderdsl.testing.golden_fixtures")


@pytest.fixture
def shader_golden(request: pytest.FixtureRequest) -> ShaderGolden:
    """`shader_golden(program, name=None, dialect="naga", **statics)` compares a kernel with its golden file."""
    return fixtures().ShaderGolden(request.config.rootpath, bool(request.config.getoption(OPTION)))


@pytest.fixture
def golden_file(request: pytest.FixtureRequest) -> GoldenFile:
    """One golden of the table, or one orphan; a test that takes it runs once for each."""
    return request.param


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give `golden_file` its values."""
    if "golden_file" not in metafunc.fixturenames:
        return
    found = fixtures().golden_files(metafunc.config.rootpath, bool(metafunc.config.getoption(OPTION)))
    metafunc.parametrize("golden_file", found, ids=[f.file for f in found], indirect=True)
