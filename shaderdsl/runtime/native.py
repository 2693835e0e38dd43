"""The two driver libraries, wgpu (naga) and wgpudawn (Tint), behind one typed face.

wgpudawn is an optional extra: `DAWN` is None where it is not installed. Both speak the same API without type information; the protocols here
name the part that this room uses. Errors come out of the call that causes them, as one of `DRIVER_ERRORS`, which makes every call its own
error scope.

    adapters = WGPU.gpu.enumerate_adapters_sync()
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol, cast

import wgpu

try:
    import wgpudawn
except ImportError:  # the extra is not installed
    wgpudawn = None


class RawBuffer(Protocol):
    """A GPUBuffer."""

    @property
    def size(self) -> int: ...

    def destroy(self) -> None: ...
    def map_sync(self, mode: str) -> None: ...
    def read_mapped(self, buffer_offset: int, size: int) -> memoryview: ...
    def unmap(self) -> None: ...


class RawPass(Protocol):
    """A GPUComputePassEncoder."""

    def set_pipeline(self, pipeline: object) -> None: ...
    def set_bind_group(self, index: int, bind_group: object) -> None: ...
    def dispatch_workgroups(self, x: int, y: int, z: int) -> None: ...
    def end(self) -> None: ...


class RawEncoder(Protocol):
    """A GPUCommandEncoder."""

    def begin_compute_pass(self) -> RawPass: ...
    def copy_buffer_to_buffer(
        self, source: RawBuffer, source_offset: int, target: RawBuffer, target_offset: int, size: int
    ) -> None: ...
    def finish(self) -> object: ...


class RawQueue(Protocol):
    """A GPUQueue."""

    def submit(self, commands: Sequence[object]) -> None: ...
    def write_buffer(self, buffer: RawBuffer, offset: int, data: object) -> None: ...
    def read_buffer(self, buffer: RawBuffer, offset: int = 0, size: int | None = None) -> memoryview: ...
    def on_submitted_work_done_sync(self) -> None: ...


class RawDevice(Protocol):
    """A GPUDevice."""

    @property
    def features(self) -> set[str]: ...
    @property
    def limits(self) -> Mapping[str, int]: ...
    @property
    def queue(self) -> RawQueue: ...

    def create_buffer(self, *, size: int, usage: int) -> RawBuffer: ...
    def create_shader_module(self, *, code: str) -> object: ...
    def create_bind_group_layout(self, *, entries: Sequence[Mapping[str, Any]]) -> object: ...
    def create_pipeline_layout(self, *, bind_group_layouts: Sequence[object]) -> object: ...
    def create_compute_pipeline(self, *, layout: object, compute: Mapping[str, Any]) -> object: ...
    def create_bind_group(self, *, layout: object, entries: Sequence[Mapping[str, Any]]) -> object: ...
    def create_command_encoder(self) -> RawEncoder: ...
    def destroy(self) -> None: ...


class RawAdapter(Protocol):
    """A GPUAdapter; Dawn's serve one device each."""

    @property
    def summary(self) -> str: ...
    @property
    def info(self) -> Mapping[str, Any]: ...
    @property
    def features(self) -> set[str]: ...
    @property
    def limits(self) -> Mapping[str, int]: ...

    def request_device_sync(
        self, *, required_features: Sequence[str], required_limits: Mapping[str, int]
    ) -> RawDevice: ...


class RawGPU(Protocol):
    """The entry point of a library."""

    def enumerate_adapters_sync(self) -> list[RawAdapter]: ...
    def request_adapter_sync(self) -> RawAdapter: ...


class Library(Protocol):
    """What both libraries hold at their top."""

    gpu: RawGPU
    __version__: str


def library(module: ModuleType) -> Library:
    """The module as what it is; its warnings go to its own logger and never to the last-resort stderr."""
    logging.getLogger(module.__name__).addHandler(logging.NullHandler())
    return cast(Library, module)


def driver_errors(module: ModuleType) -> tuple[type[Exception], ...]:
    """The library's own errors, and the RuntimeError that it raises where an adapter or device is refused."""
    return (cast("type[Exception]", module.GPUError), RuntimeError)


@dataclass(frozen=True, slots=True)
class PassCalls:
    """The C functions behind the three methods of a compute pass, and C's null: without the libraries' Python around them, which costs more than they do.

    Objects are passed as their `_internal`. What is wrong with them shows when the encoder finishes, as by the methods.
    """

    set_pipeline: Callable[[Any, Any], object]
    set_bind_group: Callable[[Any, int, Any, int, Any], object]
    dispatch: Callable[[Any, int, int, int], object]
    null: object


def pass_calls(module: str) -> PassCalls | None:
    """Those of a library, from where it keeps its C functions; None if a version keeps them elsewhere."""
    try:
        found: Any = import_module(module)
        lib = found.lib
        return PassCalls(
            lib.wgpuComputePassEncoderSetPipeline,
            lib.wgpuComputePassEncoderSetBindGroup,
            lib.wgpuComputePassEncoderDispatchWorkgroups,
            found.ffi.NULL,
        )
    except (ImportError, AttributeError):
        return None


WGPU: Library = library(wgpu)
DAWN: Library | None = None if wgpudawn is None else library(wgpudawn)

DRIVER_ERRORS: tuple[type[Exception], ...] = driver_errors(wgpu) + (() if wgpudawn is None else driver_errors(wgpudawn))

WGPU_CALLS = pass_calls("wgpu.backends.wgpu_native._ffi")
DAWN_CALLS = None if wgpudawn is None else pass_calls("wgpudawn.backends.dawn._ffi")
