"""Error scopes: what a driver raises, told as one of our errors and brought back to the Python line.

    with error_scope(device, "the pipeline of rms_norm", shader.lines):
        device.raw.create_compute_pipeline(...)

Both libraries raise an error out of the call that caused it, so a `with` block is an error scope on either. The block holds the device's lock.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from traceback import clear_frames

from shaderdsl.errors import DeviceError, DriverError, Location, ShaderError
from shaderdsl.runtime.device import Backend, Device
from shaderdsl.runtime.native import DRIVER_ERRORS

LOST = re.compile(r"device\]? (?:\S+ )?is lost", re.IGNORECASE)
MEMORY = re.compile(r"out of memory|not enough memory", re.IGNORECASE)
UNIFORMITY = re.compile(r"uniform control flow|(?:needs?|required) to be uniform", re.IGNORECASE)
DIVERGENT = (
    "all invocations of a workgroup reach a barrier or none: move it out of branches and loops that only some take"
)
REPORT = "the note is the driver's own text: the WGSL has a fault that our checks did not see, please report it"
COMPILERS = {Backend.WGPU: "naga", Backend.DAWN: "tint"}

HEADER = re.compile(r"(?:┌─|-->)?\s*(?:wgsl)?:(\d+):\d+", re.MULTILINE)
NUMBERED = re.compile(r"^\s*(\d+) │")
CARETS = re.compile(r"^\s*│[^╰\^]*\^")


@contextmanager
def error_scope(device: Device, what: str, lines: Sequence[Location | None] = ()) -> Generator[None]:
    """Everything that a driver says inside the block, as a DeviceError (lost, out of memory) or a DriverError with its place in Python."""
    with device.lock:
        device.check()
        try:
            yield
        except DRIVER_ERRORS as error:
            clear_frames(
                error.__traceback__
            )  # they hold borrowed views of numpy memory: collected in the wrong order, they end the process
            raise told(device, what, str(error).strip(), lines) from error


def told(device: Device, what: str, text: str, lines: Sequence[Location | None]) -> ShaderError:
    """The driver's text as our error."""
    if LOST.search(text):
        device.lose(text)
        return DeviceError(
            f"the {device.backend.value} device was lost",
            notes=[text],
            hints=["open the device again and upload the data anew"],
        )
    if MEMORY.search(text):
        return DeviceError(
            f"not enough memory on {device.adapter.summary} for {what}",
            notes=[text],
            hints=["free buffers, or use smaller ones"],
        )
    line = line_of(text)
    place = lines[line - 1] if line is not None and line <= len(lines) else None
    return DriverError(
        f"{COMPILERS[device.backend]} refused {what}",
        place,
        label="" if line is None else f"WGSL line {line}",
        notes=[text],
        hints=[DIVERGENT if UNIFORMITY.search(text) else REPORT],
    )


def line_of(text: str) -> int | None:
    """The WGSL line that a compiler's message is about: where naga's carets stand, else the first `:line:column`.

    line_of("Error while parsing WGSL: :2:11 error: no matching overload") == 2
    """
    number = None
    for line in text.splitlines():
        if found := NUMBERED.match(line):
            number = int(found[1])
        elif number is not None and CARETS.match(line):
            return number
    header = HEADER.search(text)
    return None if header is None else int(header[1])
