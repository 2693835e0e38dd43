"""naga and Tint accept what they should, refuse what they should, and leave the process as it was."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from shaderdsl.errors import DeviceError
from shaderdsl.runtime import device, validate
from shaderdsl.runtime.device import Backend
from shaderdsl.runtime.validate import naga_refusal, null_device, tint_refusal

Refusal = Callable[..., str | None]
BOTH = pytest.mark.parametrize("refusal", [naga_refusal, tint_refusal])

EMPTY = "@compute @workgroup_size({}) fn main() {{}}"
DIVERGENT = """
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if (lid < 32u) {
        workgroupBarrier();
    }
}
"""


@BOTH
def test_a_good_module_is_accepted(refusal: Refusal) -> None:
    assert refusal(EMPTY.format(256), ["main"]) is None


@BOTH
def test_the_message_names_the_line(refusal: Refusal) -> None:
    message = refusal("fn f() {\n    let x = 1u + 1i;\n}")
    assert message is not None
    assert "1u + 1i" in message


@BOTH
def test_limits_show_with_the_pipeline(refusal: Refusal) -> None:
    assert refusal(EMPTY.format(257)) is None
    message = refusal(EMPTY.format(257), ["main"])
    assert message is not None
    assert "257" in message


@BOTH
def test_nine_storage_buffers_are_refused(refusal: Refusal) -> None:
    declared = "".join(f"@group(0) @binding({i}) var<storage, read_write> b{i}: array<u32>;\n" for i in range(9))
    used = " + ".join(f"b{i}[1]" for i in range(9))
    text = declared + f"@compute @workgroup_size(1) fn main() {{ b0[0] = {used}; }}"
    assert refusal(text, ["main"]) is not None
    assert refusal(text.replace(" + b8[1]", ""), ["main"]) is None


@BOTH
def test_a_missing_entry_point_is_refused(refusal: Refusal) -> None:
    assert refusal(EMPTY.format(1), ["other"]) is not None


@BOTH
def test_f16_is_enabled(refusal: Refusal) -> None:
    assert refusal("enable f16;\nconst h = 1.5h;\n" + EMPTY.format(1), ["main"]) is None


def test_subgroups_are_enabled_for_tint() -> None:
    text = "enable subgroups;\n@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { let s = subgroupAdd(i); }"
    assert tint_refusal(text, ["main"]) is None


def test_only_tint_sees_a_divergent_barrier() -> None:
    assert naga_refusal(DIVERGENT, ["main"]) is None
    message = tint_refusal(DIVERGENT, ["main"])
    assert message is not None
    assert "workgroupBarrier" in message


def test_tint_counts_workgroup_memory_on_the_null_backend() -> None:
    text = "var<workgroup> t: array<f32, {}>;\n@compute @workgroup_size(1) fn main() {{ t[0] = 1.0; }}"
    assert tint_refusal(text.format(4096), ["main"]) is None
    assert tint_refusal(text.format(4097), ["main"]) is not None


def test_the_environment_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(validate.FORCED, raising=False)
    monkeypatch.setattr(validate, "null_devices", {})
    assert tint_refusal("fn f() {}") is None
    assert validate.FORCED not in os.environ
    monkeypatch.setenv(validate.FORCED, "Vulkan")
    monkeypatch.setattr(validate, "null_devices", {})
    assert tint_refusal("fn f() {}") is None
    assert os.environ[validate.FORCED] == "Vulkan"


def test_the_null_backend_needs_no_gpu_and_prints_nothing() -> None:
    program = "from shaderdsl.runtime.validate import tint_refusal; assert tint_refusal('fn f() { let x = 1u + 1i; }')"
    environment = dict(os.environ, VK_ICD_FILENAMES="/nonexistent.json")
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_wgpudawn_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "DAWN", None)
    monkeypatch.setattr(validate, "null_devices", {})
    with pytest.raises(DeviceError) as caught:
        null_device()
    assert str(caught.value) == 'error: wgpudawn is not installed [device]\nhelp: pip install "shaderdsl[dawn]"'


def test_four_threads_may_ask_at_once() -> None:
    answers: list[str | None] = []

    def ask() -> None:
        for size in (1, 257):
            answers.extend([tint_refusal(EMPTY.format(size), ["main"]), naga_refusal(EMPTY.format(size), ["main"])])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 16
    assert answers.count(None) == 8


def test_null_device_is_dawn_with_portable_limits() -> None:
    opened = null_device()
    assert opened.backend is Backend.DAWN
    assert {name: opened.raw.limits[name] for name in opened.limits} == dict(opened.limits)
