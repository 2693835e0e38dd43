"""Would this WGSL be accepted? Asked of naga and of Tint: module and pipeline on a device with the portable limits.

    naga_refusal("fn f() { let x = 1u + 1i; }")        # the compiler's message
    tint_refusal("@compute @workgroup_size(1) fn main() {}", ["main"]) is None

naga needs some Vulkan, Metal or DX12 driver to run; Tint validates on Dawn's Null backend, with no GPU. Limits show only when a pipeline is
made, so name the entry points. Workgroup memory is not counted by naga: `launch.check_limits` does it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable

from shaderdsl.errors import DeviceError
from shaderdsl.runtime.device import Backend, Device, captured_stderr, locks, open_device, request, require_library
from shaderdsl.runtime.native import DRIVER_ERRORS, RawAdapter

FORCED = "WGPU_BACKEND_TYPE"

null_devices: dict[int, Device] = {}


def naga_refusal(text: str, entry_points: Iterable[str] = ()) -> str | None:
    """naga's message, or None if it takes the module and a pipeline for each entry point."""
    return refusal(open_device(Backend.WGPU), text, entry_points)


def tint_refusal(text: str, entry_points: Iterable[str] = ()) -> str | None:
    """Tint's message, or None if it takes the module and a pipeline for each entry point."""
    return refusal(null_device(), text, entry_points)


def refusal(device: Device, text: str, entry_points: Iterable[str] = ()) -> str | None:
    """What this device's compiler says against the text; None if nothing."""
    device.check()
    with device.lock:
        try:
            module = device.raw.create_shader_module(code=text)
            for name in entry_points:
                device.raw.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": name})
        except DRIVER_ERRORS as error:
            return str(error)
    return None


def null_device() -> Device:
    """Dawn's Null backend, opened once a process: Tint's whole validation with the portable limits, no adapter needed."""
    with locks[Backend.DAWN]:
        process = os.getpid()
        if process not in null_devices:
            null_devices[process] = request(Backend.DAWN, null_adapter())
        return null_devices[process]


def null_adapter() -> RawAdapter:
    """The adapter that must be asked for by an environment variable, since the library has no argument for it; left set, it breaks wgpu."""
    library = require_library(Backend.DAWN)
    before = os.environ.get(FORCED)
    noisy = logging.getLogger("wgpudawn")
    disabled = noisy.disabled
    os.environ[FORCED] = "Null"
    noisy.disabled = True
    try:
        with captured_stderr():
            return library.gpu.request_adapter_sync()
    except DRIVER_ERRORS as error:
        raise DeviceError(
            "this wgpudawn has no Null backend", notes=[str(error)], hints=["pip install --upgrade wgpudawn"]
        ) from error
    finally:
        noisy.disabled = disabled
        restore(before)


def restore(value: str | None) -> None:
    """Give the environment variable back as it was."""
    if value is None:
        del os.environ[FORCED]
    else:
        os.environ[FORCED] = value
