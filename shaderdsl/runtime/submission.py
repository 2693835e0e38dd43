"""Many dispatches in one submission, made ready once and encoded again for each run.

    submit(device, Commands.of(device, dispatches), copies)

Command buffers serve once, so that a replay encodes again: three calls of C for each dispatch, no more. All dispatches are in one pass, in which the
driver waits between two that touch the same memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import DriverError, Location
from shaderdsl.runtime.buffers import COPY_TARGET, padded
from shaderdsl.runtime.device import Backend, Device
from shaderdsl.runtime.native import DAWN_CALLS, WGPU_CALLS, PassCalls, RawBuffer, RawEncoder, RawPass
from shaderdsl.runtime.scope import error_scope

MAP_READ = 0x01
JUST_SUBMITTED = "READ_NOSYNC"
"""The libraries' mode for a buffer that the last submission wrote; with READ they submit once more."""


class Dispatch(NamedTuple):
    """A pipeline with what is bound and its workgroups, all made before; what it is called, and the line that asked for it."""

    pipeline: Any
    bound: tuple[Any, ...]
    groups: tuple[int, int, int]
    name: str
    loc: Location | None


class Copy(NamedTuple):
    """Bytes from one buffer to another after the last dispatch."""

    source: RawBuffer
    source_offset: int
    target: RawBuffer
    target_offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Commands:
    """Dispatches in order, and the same as C's handles where the library has them within reach."""

    dispatches: tuple[Dispatch, ...]
    calls: PassCalls | None
    handles: tuple[tuple[Any, tuple[Any, ...], int, int, int], ...]

    @classmethod
    def of(cls, device: Device, dispatches: Sequence[Dispatch]) -> Commands:
        calls = WGPU_CALLS if device.backend is Backend.WGPU else DAWN_CALLS
        if calls is None:
            return cls(tuple(dispatches), None, ())
        handles = tuple(
            (internal(d.pipeline), tuple(map(internal, d.bound)), *d.groups) for d in dispatches if 0 not in d.groups
        )
        return cls(tuple(dispatches), calls, handles)


def internal(raw: Any) -> Any:
    return raw._internal


def submit(device: Device, what: str, commands: Commands, copies: Sequence[Copy] = ()) -> None:
    """Queue the dispatches, then the copies. A driver's refusal names the dispatch."""
    try:
        with error_scope(device, what):
            encoder = device.raw.create_command_encoder()
            if commands.dispatches:
                encode(encoder, commands)
            for copy in copies:
                encoder.copy_buffer_to_buffer(*copy)
            device.raw.queue.submit([encoder.finish()])
    except DriverError as error:
        raise blamed(device, commands, error) from error


def encode(encoder: RawEncoder, commands: Commands) -> None:
    """One pass of all dispatches."""
    encoding = encoder.begin_compute_pass()
    if commands.calls is None:
        by_methods(encoding, commands.dispatches)
    else:
        by_handles(internal(encoding), commands.calls, commands.handles)
    encoding.end()


def by_methods(encoding: RawPass, dispatches: Sequence[Dispatch]) -> None:
    for pipeline, bound, groups, _, _ in dispatches:
        if 0 not in groups:
            encoding.set_pipeline(pipeline)
            for index, group in enumerate(bound):
                encoding.set_bind_group(index, group)
            encoding.dispatch_workgroups(*groups)


def by_handles(encoding: Any, calls: PassCalls, handles: Sequence[tuple[Any, tuple[Any, ...], int, int, int]]) -> None:
    set_pipeline, set_bind_group, dispatch, null = calls.set_pipeline, calls.set_bind_group, calls.dispatch, calls.null
    before = None
    for pipeline, bound, x, y, z in handles:
        if pipeline is not before:
            set_pipeline(encoding, pipeline)
            before = pipeline
        for index, group in enumerate(bound):
            set_bind_group(encoding, index, group, 0, null)
        dispatch(encoding, x, y, z)


def blamed(device: Device, commands: Commands, error: DriverError) -> DriverError:
    """The error again, at the first dispatch that the driver refuses by itself."""
    for dispatch in commands.dispatches:
        try:
            with error_scope(device, f"a launch of {dispatch.name!r}"):
                encoder = device.raw.create_command_encoder()
                encode(encoder, Commands.of(device, (dispatch,)))
                encoder.finish()
        except DriverError as own:
            own.loc = dispatch.loc
            return own
    return error


@dataclass(slots=True, eq=False)
class Readback:
    """Memory that the host can read, kept for the results of each run."""

    device: Device
    size: int
    raw: RawBuffer

    @classmethod
    def allocate(cls, device: Device, size: int) -> Readback:
        with error_scope(device, f"{size} bytes for results"):
            return cls(device, size, device.raw.create_buffer(size=max(padded(size), 4), usage=MAP_READ | COPY_TARGET))

    def read(self) -> NDArray[np.uint8]:
        """A copy of what the last submission left here, once it is done."""
        with error_scope(self.device, f"a download of {self.size} bytes"):
            self.raw.map_sync(JUST_SUBMITTED)
            found = np.frombuffer(self.raw.read_mapped(0, max(padded(self.size), 4)), np.uint8).copy()
            self.raw.unmap()
        return found

    def free(self) -> None:
        with self.device.lock:
            self.raw.destroy()
