"""Buffers: what goes in comes out, sizes are padded out of sight, and misuse is named."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from shaderdsl.errors import LaunchError, LimitError
from shaderdsl.runtime.buffers import LEAST, POISON, DeviceBuffer, flat_bytes, padded
from shaderdsl.runtime.device import Device

LOSE_AND_WRITE = """
from shaderdsl.errors import DeviceError
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Backend, open_device

buffer = DeviceBuffer.allocate(open_device(Backend("{}")), 16)
buffer.device.raw.destroy()
try:
    buffer.write(bytes(16))
except DeviceError as error:
    print(error.message)
"""


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "uint32", "uint8"])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000])
def test_round_trip(device: Device, dtype: str, count: int) -> None:
    data = np.arange(count).astype(dtype)
    buffer = DeviceBuffer.upload(device, data)
    assert buffer.size == data.nbytes
    np.testing.assert_array_equal(buffer.download(dtype, (count,)), data)


def test_shapes_and_strides(device: Device) -> None:
    data = np.arange(24, dtype=np.float32).reshape(4, 6)[:, ::2]
    np.testing.assert_array_equal(DeviceBuffer.upload(device, data).download(np.float32, (4, 3)), data)


def test_structured_and_scalar_arrays(device: Device) -> None:
    pair = np.dtype([("a", np.uint32), ("b", np.float32)])
    data = np.array([(1, 2.0), (3, 4.0)], pair)
    assert DeviceBuffer.upload(device, data).download(pair, (2,)).tolist() == data.tolist()
    assert DeviceBuffer.upload(device, np.array(7, np.int32)).download(np.int32, ()) == 7


@pytest.mark.parametrize("data", [b"abcd", bytearray(b"abcd"), memoryview(b"abcd")])
def test_bytes_of_every_kind(device: Device, data: bytes | bytearray | memoryview) -> None:
    assert DeviceBuffer.upload(device, data).read().tobytes() == b"abcd"


def test_capacity_is_never_zero_and_in_whole_words(device: Device) -> None:
    assert [DeviceBuffer.allocate(device, size).capacity for size in (0, 1, 16, 17)] == [LEAST, LEAST, 16, 20]
    assert DeviceBuffer.allocate(device, 0, least=100).capacity == 100
    assert [padded(size) for size in (0, 1, 4, 5)] == [0, 4, 4, 8]


def test_fresh_buffers_are_zero_or_poisoned(device: Device) -> None:
    assert not DeviceBuffer.allocate(device, 64).read().any()
    poisoned = DeviceBuffer.allocate(device, 6, fill=POISON)
    assert np.isnan(poisoned.download(np.float16, (3,))).all()
    assert np.isnan(np.frombuffer(POISON * 2, np.float32)).all()


def test_a_copy_not_a_view(device: Device) -> None:
    data = np.ones(4, np.float32)
    buffer = DeviceBuffer.upload(device, data)
    data[:] = 2
    first = buffer.download(np.float32, (4,))
    first[:] = 3
    assert buffer.download(np.float32, (4,)).tolist() == [1.0] * 4


def test_writing_another_size(device: Device) -> None:
    buffer = DeviceBuffer.upload(device, b"abcd")
    buffer.write(b"efgh")
    assert buffer.read().tobytes() == b"efgh"
    with pytest.raises(LaunchError) as caught:
        buffer.write(b"abcdef")
    assert caught.value.message == "cannot write 6 bytes into a buffer of 4"


def test_downloading_as_another_size(device: Device) -> None:
    with pytest.raises(LaunchError) as caught:
        DeviceBuffer.allocate(device, 8).download(np.float32, (3,))
    assert caught.value.message == "a buffer of 8 bytes is no array of float32 and shape (3,): that takes 12"


def test_a_freed_buffer(device: Device) -> None:
    buffer = DeviceBuffer.upload(device, b"abcd")
    buffer.free()
    buffer.free()
    for use in (buffer.read, lambda: buffer.write(b"efgh")):
        with pytest.raises(LaunchError) as caught:
            use()
        assert caught.value.message == "the buffer was freed"


def test_a_buffer_beyond_the_limit(device: Device) -> None:
    with pytest.raises(LimitError) as caught:
        DeviceBuffer.allocate(device, 256 * 1024 * 1024 + 1)
    assert caught.value.message == "a buffer of 268435460 bytes is larger than the device's 268435456"


def test_flat_bytes_copies_only_when_it_must() -> None:
    data = np.arange(8, dtype=np.float32)
    assert np.shares_memory(flat_bytes(data), data)
    assert not np.shares_memory(flat_bytes(data[::2]), data)


def test_the_process_survives_a_failed_write(device_name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOSE_AND_WRITE.format(device_name)],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"the {device_name} device was lost\n", "")
