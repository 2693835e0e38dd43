"""A driver's text becomes the right error, at the right line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codegen_tests.runtime.shaders import lines_of
from shaderdsl.errors import DeviceError, DriverError
from shaderdsl.runtime.device import Device
from shaderdsl.runtime.native import DRIVER_ERRORS
from shaderdsl.runtime.scope import DIVERGENT, REPORT, error_scope, line_of, told
from shaderdsl.runtime.validate import naga_refusal, tint_refusal

FAULTS = [
    ("fn f() {\n    let a = 1u;\n    let x = 1u + 1i;\n}", 3),
    ("fn f() {\n    let x = ;\n}", 2),
    ("@compute @workgroup_size(1)\nfn main() {\n    if (true) {\n        undeclared = 1;\n    }\n}", 4),
]


@pytest.mark.parametrize("refusal", [naga_refusal, tint_refusal])
@pytest.mark.parametrize(("text", "line"), FAULTS)
def test_the_line_is_found_in_real_messages(refusal: Callable[[str], str | None], text: str, line: int) -> None:
    message = refusal(text)
    assert message is not None
    assert line_of(message) == line


def test_a_message_without_a_line() -> None:
    assert line_of("Unable to find entry point 'nope'") is None


def test_places(device: Device) -> None:
    error = told(device, "the WGSL of 'k'", ":2:5 error: no", lines_of("a\nb\nc\n"))
    assert isinstance(error, DriverError)
    assert error.loc is not None
    assert error.loc.span().line == 102
    beyond = told(device, "the WGSL of 'k'", ":9:5 error: no", lines_of("a\nb\nc\n"))
    assert beyond.loc is None
    assert beyond.label == "WGSL line 9"


def test_a_divergent_barrier_is_the_users(device: Device) -> None:
    text = ":22:5 error: 'workgroupBarrier' must only be called from uniform control flow"
    assert told(device, "the WGSL of 'k'", text, ()).hints == (DIVERGENT,)
    assert told(device, "the WGSL of 'k'", ":9:5 error: no", ()).hints == (REPORT,)


def test_out_of_memory(device: Device) -> None:
    error = told(device, "a buffer of 64 bytes", "Out of Memory: Not enough memory left.", ())
    assert isinstance(error, DeviceError)
    assert error.message == f"not enough memory on {device.adapter.summary} for a buffer of 64 bytes"


def test_other_exceptions_pass_through(device: Device) -> None:
    with pytest.raises(ZeroDivisionError), error_scope(device, "nothing"):
        raise ZeroDivisionError
    with pytest.raises(DriverError), error_scope(device, "something"):
        raise DRIVER_ERRORS[0]("refused")
