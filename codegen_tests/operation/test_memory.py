"""What a call makes: every element of every buffer is written, what is in between is given back, arguments stay."""

from __future__ import annotations

import math

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.spec.formulas import FORMULAS
from shaderdsl.numeric.values import DTYPES
from shaderdsl.run_steps import Interpreted, OnDevice
from shaderdsl.runtime.buffers import POISON, DeviceBuffer
from shaderdsl.schedule.step import STORED
from shaderdsl.spec.notation import Dtype


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fresh buffers hold NaN and odd numbers."""

    def on_device(memory: OnDevice, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        del dtype
        memory.buffers[name] = DeviceBuffer.allocate(memory.device, 4 * math.prod(shape), fill=POISON)

    def interpreted(memory: Interpreted, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        words = np.full(math.prod(shape), int.from_bytes(POISON * 2, "little"), np.uint32)
        memory.arrays[name] = words.view(DTYPES[STORED[dtype]])

    monkeypatch.setattr(OnDevice, "make", on_device)
    monkeypatch.setattr(Interpreted, "make", interpreted)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[DeviceBuffer]:
    """Every buffer that is allocated during a test."""
    found: list[DeviceBuffer] = []
    allocate = DeviceBuffer.allocate.__func__  # pyright: ignore[reportFunctionMemberAccess]

    def noted(*arguments: object, **named: object) -> DeviceBuffer:
        buffer: DeviceBuffer = allocate(DeviceBuffer, *arguments, **named)
        found.append(buffer)
        return buffer

    monkeypatch.setattr(DeviceBuffer, "allocate", noted)
    return found


@pytest.mark.usefixtures("poisoned")
@pytest.mark.parametrize("name", FORMULAS)
def test_every_element_is_written(name: str, executor_name: str) -> None:
    operation = sd.op(name, FORMULAS[name].formula)
    arguments = FORMULAS[name].draw(np.random.default_rng(0), 6)
    found, expected = operation(**arguments, device=executor_name), operation.reference(**arguments)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("poisoned")
def test_what_is_not_written_is_seen(executor_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    double = sd.op("double", "y[i] = 2 * x[i]")

    def nothing(*arguments: object) -> None:
        del arguments

    monkeypatch.setattr(OnDevice, "launch", nothing)
    monkeypatch.setattr(Interpreted, "launch", nothing)
    assert np.isnan(double(np.ones(3), device=executor_name)).all()


def test_all_buffers_of_a_call_are_given_back(made: list[DeviceBuffer], device_name: str) -> None:
    softmax = sd.op("softmax", FORMULAS["softmax"].formula)
    softmax(np.ones((2, 3)), device=device_name)
    assert len(made) == 5
    assert all(b.freed for b in made)


def test_resident_arguments_and_results_stay(made: list[DeviceBuffer], device_name: str) -> None:
    softmax = sd.op("softmax", FORMULAS["softmax"].formula)
    x = sd.array(np.ones((2, 3), np.float32), device=device_name)
    y = softmax(x)
    assert [b for b in made if not b.freed] == [x.buffer, y.buffer]


def test_an_error_gives_back_too(made: list[DeviceBuffer], device_name: str) -> None:
    chained = sd.op("chained", "given ids[t]: i32, w[v]\nat[t] = ids[t] + 1\ny[t] = w[at[t]]")
    with pytest.raises(sd.LaunchError, match="outside axis 0 of w"):
        chained(ids=np.array([5]), w=np.ones(2), device=device_name)
    assert made
    assert all(b.freed for b in made)
