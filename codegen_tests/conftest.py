"""What every test shares: software drivers for both libraries, devices as fixtures, and counts in the summary.

The drivers are lavapipe (for wgpu) and SwiftShader (for Dawn), named to the Vulkan loader before it starts. A missing one fails the tests that need it; none is skipped. `make test` installs both.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import settings

from codegen_tests.drivers import PATTERNS, found

SUMMARISED = ("conformance", "summary")


def name_drivers() -> None:
    """Tell the Vulkan loader, unless the user has. The loader reads this once, when the first library loads."""
    files = [path for driver in PATTERNS for path in found(driver)]
    if files:
        os.environ.setdefault("VK_ICD_FILENAMES", os.pathsep.join(files))
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())


name_drivers()

from shaderdsl.runtime.device import Backend, Device, open_device  # noqa: E402  the loader must have its environment first

settings.register_profile("default", deadline=None)
settings.register_profile("fuzz", deadline=None, max_examples=20_000)
settings.load_profile("default")


def pytest_configure(config: pytest.Config) -> None:
    """Our marks. `make fuzz` runs the `fuzz` tests with the profile of that name."""
    config.addinivalue_line("markers", "slow: takes seconds, or asks the package registry")
    config.addinivalue_line("markers", "fuzz: runs generated programs, more of them under --hypothesis-profile=fuzz")


@pytest.fixture
def wgpu_device() -> Device:
    """naga on lavapipe, which has f16."""
    return open_device(Backend.WGPU)


@pytest.fixture
def dawn_device() -> Device:
    """Tint on SwiftShader."""
    return open_device(Backend.DAWN)


@pytest.fixture(params=["wgpu", "dawn"])
def device_name(request: pytest.FixtureRequest) -> str:
    """Both driver libraries, by the name that a user gives as `device=`."""
    return str(request.param)


@pytest.fixture(params=["wgpu", "dawn", "interpreter"])
def executor_name(request: pytest.FixtureRequest) -> str:
    """Everything that runs a kernel."""
    return str(request.param)


@pytest.fixture
def device(device_name: str) -> Device:
    """The opened device of `device_name`."""
    return open_device(Backend(device_name))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The conformance data, which CI always has."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SHADERDSL_DATA", beside))
    if not folder.is_dir():
        pytest.fail(f"no conformance data in {folder}: set SHADERDSL_DATA to their folder", pytrace=False)
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded: how many conformance cases ran, what generated programs were made of."""
    lines = sorted(set(recorded(terminalreporter.stats.values())))
    if lines:
        terminalreporter.section("counts")
    for line in lines:
        terminalreporter.line(line)


def recorded(groups: Iterable[list[object]]) -> list[str]:
    """`name: value` of every property under a summarised name, in all reports."""
    reports = [report for group in groups for report in group if isinstance(report, pytest.TestReport)]
    return [f"{name}: {value}" for report in reports for name, value in report.user_properties if name in SUMMARISED]
