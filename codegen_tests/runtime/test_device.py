"""Adapters are ranked, devices are opened once, and what is missing is said with its remedy."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from shaderdsl.errors import DeviceError
from shaderdsl.runtime import device as room
from shaderdsl.runtime.device import (
    VARIABLE,
    Backend,
    available,
    backend_named,
    best_adapter,
    best_backend,
    open_device,
    rank,
)
from shaderdsl.runtime.limits import PORTABLE
from shaderdsl.runtime.native import RawAdapter, RawDevice


@dataclass
class FakeAdapter:
    """An adapter as the libraries show it."""

    summary: str = "fake"
    kind: str = "CPU"
    api: str = "Vulkan"
    features: set[str] = field(default_factory=set[str])
    limits: Mapping[str, int] = field(default_factory=lambda: PORTABLE)

    @property
    def info(self) -> Mapping[str, Any]:
        return {"adapter_type": self.kind, "backend_type": self.api, "vendor": "maker", "description": ""}

    def request_device_sync(self, *, required_features: object, required_limits: object) -> RawDevice:
        raise RuntimeError(f"no device with {required_features} and {required_limits}")


def offer(monkeypatch: pytest.MonkeyPatch, *adapters: RawAdapter) -> None:
    monkeypatch.setattr(room, "opened", {})
    monkeypatch.setattr(room, "present", {})

    def offered(_backend: Backend) -> list[RawAdapter]:
        return sorted(adapters, key=rank)

    monkeypatch.setattr(room, "enumerate_adapters", offered)


@pytest.fixture(autouse=True)
def no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_both_libraries_are_there() -> None:
    found = available()
    assert {adapter.backend for adapter in found} == set(Backend)
    assert all(adapter.summary and adapter.driver and adapter.limits and adapter.features for adapter in found)


def test_software_devices_of_the_tests(wgpu_device: room.Device, dawn_device: room.Device) -> None:
    assert "llvmpipe" in wgpu_device.adapter.summary
    assert "shader-f16" in wgpu_device.features
    assert "SwiftShader" in dawn_device.adapter.summary


def test_a_device_is_opened_once(device_name: str) -> None:
    assert open_device(Backend(device_name)) is open_device(Backend(device_name))


def test_devices_have_the_portable_limits(wgpu_device: room.Device) -> None:
    assert {name: wgpu_device.raw.limits[name] for name in PORTABLE} == dict(PORTABLE)


def test_ranking() -> None:
    half = {"shader-f16"}
    best_first = [
        FakeAdapter(kind="DiscreteGPU", features=half),
        FakeAdapter(kind="DiscreteGPU"),
        FakeAdapter(kind="DiscreteGPU", api="OpenGL"),
        FakeAdapter(kind="IntegratedGPU", features=half),
        FakeAdapter(kind="Unknown"),
        FakeAdapter(kind="CPU", features=half),
        FakeAdapter(kind="CPU"),
    ]
    assert sorted([best_first[i] for i in (3, 6, 0, 5, 2, 4, 1)], key=rank) == best_first


def test_the_variable_names_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_backend() is Backend.WGPU
    for choice, expected in [
        ("wgpu", Backend.WGPU),
        ("dawn", Backend.DAWN),
        ("dawn:Swift", Backend.DAWN),
        ("interpreter", None),
    ]:
        monkeypatch.setenv(VARIABLE, choice)
        assert best_backend() is expected


def test_the_variable_names_the_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "wgpu:SwiftShader")
    assert "SwiftShader" in best_adapter(Backend.WGPU).summary
    monkeypatch.setenv(VARIABLE, "wgpu:GeForce")
    with pytest.raises(DeviceError) as caught:
        best_adapter(Backend.WGPU)
    assert caught.value.message == "wgpu has no adapter named 'GeForce'"
    assert any("llvmpipe" in note for note in caught.value.notes)
    assert best_adapter(Backend.DAWN).summary


def test_an_unknown_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "cuda")
    with pytest.raises(DeviceError) as caught:
        best_backend()
    assert str(caught.value) == "error: unknown device 'cuda' [device]\nhelp: choose wgpu, dawn or interpreter"
    assert backend_named("dawn") is Backend.DAWN


def test_no_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch)
    assert best_backend() is None
    with pytest.raises(DeviceError) as caught:
        open_device(Backend.WGPU)
    assert caught.value.message == "wgpu found no adapter"
    assert "mesa-vulkan-drivers" in caught.value.hints[0]


def test_an_adapter_that_gives_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, FakeAdapter("broken"))
    with pytest.raises(DeviceError, match="broken gives no device"):
        open_device(Backend.WGPU)


def test_without_wgpudawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "DAWN", None)
    monkeypatch.setattr(room, "opened", {})
    assert {adapter.backend for adapter in available()} == {Backend.WGPU}
    with pytest.raises(DeviceError) as caught:
        open_device(Backend.DAWN)
    assert caught.value.hints == ('pip install "shaderdsl[dawn]"',)


def test_a_device_of_the_parent_process(monkeypatch: pytest.MonkeyPatch, device: room.Device) -> None:
    monkeypatch.setattr(device, "process", -1)
    with pytest.raises(DeviceError, match="opened by another process"):
        device.check()


FORKED = """
import os
from shaderdsl.errors import DeviceError
from shaderdsl.runtime.device import Backend, open_device
open_device(Backend({backend!r}))
child = os.fork()
if child == 0:
    try:
        open_device(Backend({backend!r}))
    except DeviceError:
        os._exit(7)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_opens_no_device_beside_its_parents(device_name: str) -> None:
    program = FORKED.format(backend=device_name)
    subprocess.run([sys.executable, "-c", program], env=dict(os.environ), check=True, timeout=60)


def test_nothing_is_printed() -> None:
    program = "from shaderdsl.runtime.device import *; available(); [open_device(b) for b in Backend]"
    done = subprocess.run(
        [sys.executable, "-c", program], env=dict(os.environ), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_a_driver_prints_goes_to_our_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "shaderdsl"), room.captured_stderr():
        os.write(2, b"the adapter grumbles\n")
    assert "the driver says: the adapter grumbles" in caplog.text


def test_two_captures_at_once_give_stderr_back() -> None:
    before = os.fstat(2)

    def capture() -> None:
        for _ in range(50):
            with room.captured_stderr():
                os.write(2, b"x")

    threads = [threading.Thread(target=capture) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert os.path.samestat(os.fstat(2), before)
