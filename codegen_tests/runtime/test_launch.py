"""Launches on both libraries: right results, and every mistake met by name before the driver sees it."""

from __future__ import annotations

import asyncio
import gc
import struct
import threading
from dataclasses import replace

import numpy as np
import pytest

from codegen_tests.runtime.shaders import LENGTH, axpy, length, shader, storage
from shaderdsl.errors import DeviceError, DriverError, InternalError, LaunchError, LimitError
from shaderdsl.runtime.buffers import POISON, DeviceBuffer
from shaderdsl.runtime.device import Backend, Device, open_device
from shaderdsl.runtime.launch import launch, pipeline_of
from shaderdsl.wgsl.shader import Binding, BindingKind, Shader

ONE = (1, 1, 1)
FILL = """@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(1)
fn fill(@builtin(workgroup_id) id: vec3<u32>) { y[id.x] = 2.0; }
"""


def fill_shader(text: str = FILL) -> Shader:
    return shader(text, "fill", [storage("y", 0, BindingKind.READ_WRITE)])


def run_axpy(device: Device, n: int, a: float) -> np.ndarray:
    x = DeviceBuffer.upload(device, np.arange(n, dtype=np.float32))
    y = DeviceBuffer.upload(device, np.ones(n, np.float32))
    launch(device, axpy(), {"x": x, "y": y}, struct.pack("<If", n, a), ((n + 63) // 64, 1, 1))
    return y.download(np.float32, (n,))


def test_axpy(device: Device) -> None:
    np.testing.assert_array_equal(run_axpy(device, 1000, 0.5), 0.5 * np.arange(1000, dtype=np.float32) + 1)


def test_uniforms_of_two_launches_do_not_mix(device: Device) -> None:
    x = DeviceBuffer.upload(device, np.ones(4, np.float32))
    outputs = [DeviceBuffer.allocate(device, 16) for _ in range(3)]
    for factor, y in enumerate(outputs):
        launch(device, axpy(), {"x": x, "y": y}, struct.pack("<If", 4, factor), ONE)
    assert [float(y.download(np.float32, (4,))[0]) for y in outputs] == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_array_length_is_the_data(device: Device, count: int) -> None:
    x = DeviceBuffer.upload(device, np.zeros(count, np.float32))
    y = DeviceBuffer.allocate(device, 4, fill=POISON)
    launch(device, length(), {"x": x, "y": y}, None, ONE)
    assert y.download(np.uint32, (1,))[0] == max(count, 1)


def test_an_empty_grid_is_skipped(device: Device) -> None:
    y = DeviceBuffer.allocate(device, 8, fill=POISON)
    launch(device, fill_shader(), {"y": y}, None, (0, 1, 1))
    assert y.read().tobytes() == POISON * 4


def test_groups_with_a_gap(device: Device) -> None:
    text = LENGTH.replace("@group(0) @binding(1)", "@group(2) @binding(7)")
    second = replace(length().bindings[1], group=2, binding=7)
    y = DeviceBuffer.allocate(device, 4)
    launch(
        device,
        replace(length(), text=text, bindings=(storage("x", 0), second)),
        {"x": DeviceBuffer.allocate(device, 12), "y": y},
        None,
        ONE,
    )
    assert y.download(np.uint32, (1,))[0] == 3


def test_a_pipeline_is_compiled_once_and_text_makes_another(device: Device) -> None:
    first = pipeline_of(device, fill_shader())
    assert pipeline_of(device, fill_shader()) is first
    assert pipeline_of(device, fill_shader(FILL.replace("2.0", "3.0"))) is not first


def test_f16_on_wgpu(wgpu_device: Device) -> None:
    text = "enable f16;\n" + FILL.replace("array<f32>", "array<f16>").replace("2.0", "2.0h")
    half = replace(fill_shader(text), requires=frozenset({"shader-f16"}))
    y = DeviceBuffer.allocate(wgpu_device, 10, fill=POISON)
    launch(wgpu_device, half, {"y": y}, None, (5, 1, 1))
    assert y.download(np.float16, (5,)).tolist() == [2.0] * 5


def test_a_feature_that_is_absent(dawn_device: Device) -> None:
    half = replace(fill_shader(), requires=frozenset({"shader-f16"}))
    with pytest.raises(DeviceError, match="has no shader-f16"):
        launch(dawn_device, half, {"y": DeviceBuffer.allocate(dawn_device, 4)}, None, ONE)


def test_inside_a_running_event_loop(device: Device) -> None:
    async def cell() -> np.ndarray:
        return run_axpy(device, 10, 2.0)

    assert asyncio.run(cell())[9] == 19.0


def test_from_several_threads(device: Device) -> None:
    results: list[float] = []
    threads = [threading.Thread(target=lambda: results.append(float(run_axpy(device, 100, 3.0)[99]))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [298.0] * 6


def test_buffers_may_be_collected_while_another_thread_launches(device: Device) -> None:
    kept = DeviceBuffer.allocate(device, 4)

    def drop() -> None:
        for _ in range(200):
            cycle: list[object] = [DeviceBuffer.allocate(device, 1024)]
            cycle.append(cycle)
        gc.collect()

    dropper = threading.Thread(target=drop)
    dropper.start()
    for _ in range(100):
        launch(device, fill_shader(), {"y": kept}, None, ONE)
        gc.collect(0)
    dropper.join()
    assert kept.download(np.float32, (1,))[0] == 2.0


def test_the_driver_message_is_mapped_to_the_python_line(device: Device) -> None:
    wrong = fill_shader(FILL.replace("= 2.0", "= 2u"))
    with pytest.raises(DriverError) as caught:
        launch(device, wrong, {"y": DeviceBuffer.allocate(device, 4)}, None, ONE)
    assert caught.value.loc is not None
    assert caught.value.loc.span().line == 103
    assert caught.value.label == "WGSL line 3"
    assert "refused the WGSL of 'fill'" in caught.value.message
    assert caught.value.notes[0]


def test_a_binding_that_contradicts_the_text(device: Device) -> None:
    wrong = shader(FILL, "fill", [storage("y", 0)])
    with pytest.raises(DriverError, match="the pipeline of 'fill'"):
        launch(device, wrong, {"y": DeviceBuffer.allocate(device, 4)}, None, ONE)


def test_after_a_refusal_the_device_still_works(device: Device) -> None:
    with pytest.raises(DriverError):
        launch(device, fill_shader("fn ("), {"y": DeviceBuffer.allocate(device, 4)}, None, ONE)
    y = DeviceBuffer.allocate(device, 4)
    launch(device, fill_shader(), {"y": y}, None, ONE)
    assert y.download(np.float32, (1,))[0] == 2.0


def message(caught: pytest.ExceptionInfo[LaunchError] | pytest.ExceptionInfo[LimitError]) -> str:
    return caught.value.message


def test_too_many_groups(device: Device) -> None:
    with pytest.raises(LaunchError) as caught:
        launch(device, fill_shader(), {"y": DeviceBuffer.allocate(device, 4)}, None, (1, 70000, 1))
    assert message(caught) == "70000 workgroups on axis y, the limit is 65535"


def test_a_negative_grid(device: Device) -> None:
    with pytest.raises(LaunchError) as caught:
        launch(device, fill_shader(), {"y": DeviceBuffer.allocate(device, 4)}, None, (-1, 1, 1))
    assert message(caught) == "-1 workgroups on axis x"


def test_a_freed_buffer(device: Device) -> None:
    y = DeviceBuffer.allocate(device, 4)
    y.free()
    with pytest.raises(LaunchError) as caught:
        launch(device, fill_shader(), {"y": y}, None, ONE)
    assert message(caught) == "buffer 'y' was freed"


def test_a_missing_buffer_and_one_too_many(device: Device) -> None:
    y = DeviceBuffer.allocate(device, 4)
    with pytest.raises(LaunchError) as caught:
        launch(device, fill_shader(), {}, None, ONE)
    assert message(caught) == "'fill' needs a buffer 'y'"
    with pytest.raises(LaunchError) as caught:
        launch(device, fill_shader(), {"y": y, "z": y}, None, ONE)
    assert message(caught) == "'fill' has no buffer 'z'"


def test_a_buffer_of_another_device(wgpu_device: Device, dawn_device: Device) -> None:
    with pytest.raises(LaunchError) as caught:
        launch(wgpu_device, fill_shader(), {"y": DeviceBuffer.allocate(dawn_device, 4)}, None, ONE)
    assert message(caught) == "buffer 'y' is on another device"


def test_a_buffer_that_is_too_small(device: Device) -> None:
    large = replace(fill_shader(), bindings=(replace(storage("y", 0, BindingKind.READ_WRITE), size=64),))
    with pytest.raises(LaunchError) as caught:
        launch(device, large, {"y": DeviceBuffer.allocate(device, 4)}, None, ONE)
    assert message(caught) == "buffer 'y' has 16 bytes, array<f32> needs 64"


def test_a_buffer_too_large_to_bind(device: Device) -> None:
    y = DeviceBuffer.allocate(device, 128 * 1024 * 1024 + 4)
    with pytest.raises(LimitError) as caught:
        launch(device, fill_shader(), {"y": y}, None, ONE)
    y.free()
    assert message(caught) == "buffer 'y' is 134217732 bytes, 4 more than the 134217728 that can be bound"


def test_one_buffer_twice(device: Device) -> None:
    same = DeviceBuffer.upload(device, np.ones(4, np.float32))
    with pytest.raises(LaunchError) as caught:
        launch(device, axpy(), {"x": same, "y": same}, struct.pack("<If", 4, 1), ONE)
    assert message(caught) == "'x' and 'y' are the same buffer, and the kernel writes one of them"


def test_one_buffer_read_twice_is_fine(device: Device) -> None:
    text = """@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(1) fn add() { y[0] = a[0] + b[0]; }
"""
    three = shader(text, "add", [storage("a", 0), storage("b", 1), storage("y", 2, BindingKind.READ_WRITE)])
    x, y = DeviceBuffer.upload(device, np.full(1, 3, np.float32)), DeviceBuffer.allocate(device, 4)
    launch(device, three, {"a": x, "b": x, "y": y}, None, ONE)
    assert y.download(np.float32, (1,))[0] == 6.0


def test_limits_come_before_the_driver(device: Device) -> None:
    huge = replace(fill_shader("this is no WGSL"), workgroup_size=(32, 16, 1))
    with pytest.raises(LimitError) as caught:
        launch(device, huge, {"y": DeviceBuffer.allocate(device, 4)}, None, ONE)
    assert message(caught) == "workgroup size 32 x 16 x 1 is 512 invocations, the limit is 256"


@pytest.mark.parametrize("content", [None, b"", bytes(4), bytes(12)])
def test_a_uniform_of_the_wrong_size_is_our_fault(device: Device, content: bytes | None) -> None:
    x, y = DeviceBuffer.allocate(device, 4), DeviceBuffer.allocate(device, 4)
    with pytest.raises(InternalError):
        launch(device, axpy(), {"x": x, "y": y}, content, ONE)


def test_two_uniforms_are_our_fault(device: Device) -> None:
    both = tuple(Binding(name, 0, i, BindingKind.UNIFORM, storage("y", 0).type, 4) for i, name in enumerate("ab"))
    with pytest.raises(InternalError):
        launch(device, shader("", "f", both), {}, bytes(8), ONE)


def test_a_lost_device_and_its_successor(device_name: str) -> None:
    backend = Backend(device_name)
    lost = open_device(backend)
    y = DeviceBuffer.allocate(lost, 4)
    lost.raw.destroy()
    with pytest.raises(DeviceError, match=r"the .* device was lost"):
        launch(lost, fill_shader(), {"y": y}, None, ONE)
    with pytest.raises(DeviceError, match=r"the .* device was lost"):
        y.read()
    y.free()
    fresh = open_device(backend)
    assert fresh is not lost
    assert run_axpy(fresh, 2, 1.0).tolist() == [1.0, 2.0]
