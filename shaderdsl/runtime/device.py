"""Devices: which adapters are there, which is best, and one opened device for each driver library.

    device = open_device(Backend.WGPU)
    device.adapter.summary          # 'llvmpipe (LLVM 15.0.6, 256 bits) (CPU) via Vulkan'

Environment variables are read here only: SHADERDSL_DEVICE is `wgpu`, `dawn`, `interpreter`, or a library and a part of an adapter's name, as
in `wgpu:llvmpipe`.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from numpy.typing import NDArray

from shaderdsl.errors import DeviceError
from shaderdsl.runtime.limits import PORTABLE
from shaderdsl.runtime.native import DAWN, DRIVER_ERRORS, WGPU, Library, RawAdapter, RawDevice

VARIABLE = "SHADERDSL_DEVICE"
OPTIONAL_FEATURES = ("shader-f16", "subgroups", "implicit-device-synchronization")
"""Asked for where an adapter has them. The last is Dawn's lock inside a device: the garbage collector may free a buffer from any thread."""

NO_ADAPTER_HINTS = (
    "install a GPU driver, or a software one (Debian, Ubuntu: apt-get install mesa-vulkan-drivers)",
    'run without one: device="interpreter"',
)
DAWN_HINT = 'pip install "shaderdsl[dawn]"'
NO_DAWN_HINTS = (
    "install a GPU driver, or SwiftShader, which comes with Chromium (Debian: apt-get install chromium, then set VK_ADD_DRIVER_FILES=/usr/lib/chromium/vk_swiftshader_icd.json)",
    'run without it: device="wgpu" or "interpreter"',
)

logger = logging.getLogger("shaderdsl")


class Backend(Enum):
    """A driver library; the value is what a user writes as `device=`."""

    WGPU = "wgpu"
    DAWN = "dawn"


class Preference(Enum):
    """How adapters are ranked, best first; the value is the libraries' word."""

    DISCRETE = "DiscreteGPU"
    INTEGRATED = "IntegratedGPU"
    UNKNOWN = "Unknown"
    CPU = "CPU"


@dataclass(frozen=True, slots=True)
class Adapter:
    """What an adapter says of itself: all that `shaderdsl info` shows."""

    backend: Backend
    summary: str
    driver: str
    kind: str
    api: str
    features: frozenset[str]
    limits: Mapping[str, int]


class BufferGuards(Protocol):
    """What looks at the words around a buffer before it is given back."""

    def look(self, front: NDArray[Any], behind: NDArray[Any], size: int) -> None: ...


@dataclass(slots=True, eq=False)
class Device:
    """An opened device. `guards` are what tests set around buffers, see `runtime.guards`. `lock` is shared by all devices of a library: Dawn ends the process when two threads are inside it."""

    backend: Backend
    adapter: Adapter
    raw: RawDevice
    lock: threading.RLock
    features: frozenset[str]
    limits: Mapping[str, int]
    process: int = field(default_factory=os.getpid)
    lost: str = ""
    pipelines: dict[object, object] = field(default_factory=dict[object, object])
    guards: BufferGuards | None = None

    def check(self) -> None:
        """A DeviceError if the device was lost, or belongs to the parent of this process (touching it there would hang)."""
        if self.lost:
            raise DeviceError(
                f"the {self.backend.value} device was lost",
                notes=[self.lost],
                hints=["open the device again and upload the data anew"],
            )
        if self.process != os.getpid():
            raise DeviceError(
                f"the {self.backend.value} device was opened by another process, before a fork",
                hints=['start worker processes with multiprocessing.get_context("spawn")'],
            )

    def lose(self, reason: str) -> None:
        """Mark the device as lost; the next `open_device` opens a fresh one."""
        self.lost = reason
        if opened.get(self.backend) is self:
            del opened[self.backend]


locks = {backend: threading.RLock() for backend in Backend}
stderr_lock = threading.RLock()
opened: dict[Backend, Device] = {}
present: dict[Backend, bool] = {}


def open_device(backend: Backend) -> Device:
    """The device of a library's best adapter, opened once: portable limits, and f16 and subgroups where the adapter has them.

    A forked child has no driver threads, so that even a device of its own would hang: it is refused where the parent had opened one.
    """
    with locks[backend]:
        device = opened.get(backend)
        if device is not None and not device.lost:
            device.check()
            return device
        device = opened[backend] = request(backend, best_adapter(backend))
        return device


def available() -> list[Adapter]:
    """Every adapter of every installed library, best first within each."""
    installed = [backend for backend in Backend if library_of(backend) is not None]
    return [describe(backend, raw) for backend in installed for raw in enumerate_adapters(backend)]


def best_backend() -> Backend | None:
    """The library to run on: the user's choice by SHADERDSL_DEVICE, else the first that has an adapter; None means the interpreter."""
    choice = os.environ.get(VARIABLE, "").partition(":")[0]
    if choice == "interpreter":
        return None
    if choice:
        return backend_named(choice)
    return next(
        (backend for backend in Backend if library_of(backend) is not None and enumerate_adapters(backend)), None
    )


def backend_named(name: str) -> Backend:
    """`Backend("wgpu")` with an error that says what there is."""
    if name not in [backend.value for backend in Backend]:
        raise DeviceError(f"unknown device {name!r}", hints=["choose wgpu, dawn or interpreter"])
    return Backend(name)


def library_of(backend: Backend) -> Library | None:
    match backend:
        case Backend.WGPU:
            return WGPU
        case Backend.DAWN:
            return DAWN


def require_library(backend: Backend) -> Library:
    """The library, or the error that says how to install it."""
    library = library_of(backend)
    if library is None:
        raise DeviceError("wgpudawn is not installed", hints=[DAWN_HINT])
    return library


def enumerate_adapters(backend: Backend) -> list[RawAdapter]:
    """Fresh adapters (Dawn's serve one device each), best first."""
    library = require_library(backend)
    with locks[backend], captured_stderr():
        return sorted(library.gpu.enumerate_adapters_sync(), key=rank)


def rank(adapter: RawAdapter) -> tuple[int, bool, bool]:
    """Discrete before integrated before software; then with f16 before without; then the native APIs before OpenGL."""
    kinds = [preference.value for preference in Preference]
    kind = str(adapter.info["adapter_type"])
    place = kinds.index(kind) if kind in kinds else kinds.index(Preference.UNKNOWN.value)
    return place, "shader-f16" not in adapter.features, "OpenGL" in str(adapter.info["backend_type"])


def best_adapter(backend: Backend) -> RawAdapter:
    """The first adapter that SHADERDSL_DEVICE allows."""
    library_name, _, wanted = os.environ.get(VARIABLE, "").partition(":")
    if library_name != backend.value:
        wanted = ""
    adapters = enumerate_adapters(backend)
    if not adapters:
        raise DeviceError(f"{backend.value} found no adapter", hints=no_adapter_hints(backend))
    for adapter in adapters:
        if wanted in adapter.summary:
            return adapter
    names = [f"adapter: {adapter.summary}" for adapter in adapters]
    raise DeviceError(
        f"{backend.value} has no adapter named {wanted!r}",
        notes=names,
        hints=[f"set {VARIABLE} to a part of one of these names"],
    )


def no_adapter_hints(backend: Backend) -> tuple[str, ...]:
    """How to get an adapter of this library. Dawn asks more of a driver than Mesa's older lavapipe has."""
    return NO_DAWN_HINTS if backend is Backend.DAWN else NO_ADAPTER_HINTS


def describe(backend: Backend, raw: RawAdapter) -> Adapter:
    info = raw.info
    driver = " ".join(str(info[key]) for key in ("vendor", "description") if info[key])
    return Adapter(
        backend,
        raw.summary,
        driver,
        str(info["adapter_type"]),
        str(info["backend_type"]),
        webgpu_features(raw.features),
        dict(raw.limits),
    )


def webgpu_features(features: set[str]) -> frozenset[str]:
    """Feature names as WebGPU spells them: wgpu says `subgroup`."""
    return frozenset("subgroups" if name == "subgroup" else name for name in features)


def request(backend: Backend, raw: RawAdapter) -> Device:
    """A device with portable limits on this adapter."""
    adapter = describe(backend, raw)
    features = [name for name in OPTIONAL_FEATURES if name in adapter.features]
    with locks[backend]:
        try:
            device = raw.request_device_sync(required_features=features, required_limits=dict(PORTABLE))
        except DRIVER_ERRORS as error:
            raise DeviceError(
                f"{adapter.summary} gives no device", notes=[str(error)], hints=no_adapter_hints(backend)
            ) from error
    logger.debug("opened %s with %s", adapter.summary, ", ".join(features) or "no optional features")
    return Device(backend, adapter, device, locks[backend], frozenset(features), PORTABLE)


@contextlib.contextmanager
def captured_stderr() -> Generator[None]:
    """Keep what drivers write to file descriptor 2 (Dawn warns there about adapters it cannot use, and has no switch) for our own log."""
    with stderr_lock, tempfile.TemporaryFile() as sink:
        try:
            saved = os.dup(2)
        except OSError:  # no standard error at all, as under pythonw
            yield
            return
        sys.stderr.flush()
        os.dup2(sink.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
            sink.seek(0)
            if text := sink.read().decode(errors="replace").strip():
                logger.debug("the driver says: %s", text)
