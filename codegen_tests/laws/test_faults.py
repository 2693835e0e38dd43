"""The law can fail: each fault planted in passes, emitter, interpreter or host is found within a bounded number of programs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from codegen_tests.laws.checking import broken_law
from codegen_tests.laws.faults import FAULTS, Fault
from shaderdsl.errors import InternalError, ShaderError
from shaderdsl.testing.programs import generate

MOST = 520
"""Programs of the run that must find each fault: those of `test_programs`."""


def needed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> int | None:
    """How many programs until the law fails or the fault is refused; None if it is not found."""
    for seed in range(MOST):
        program = generate(Random(seed))
        program.program.trace()
        with monkeypatch.context() as patch:
            fault.plant(patch)
            try:
                if broken_law(program, ["dawn"]) is not None:
                    return seed + 1
            except (InternalError, ShaderError):
                return seed + 1
    return None


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_found(
    fault: Fault, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    count = needed(fault, monkeypatch)
    record_property("summary", f"planted: {fault.name}: found by program {count}")
    assert count is not None


def test_there_are_enough_faults() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 20
