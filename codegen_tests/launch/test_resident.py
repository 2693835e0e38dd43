"""Resident arrays: round trips of every type, kept between launches, mixed with numpy, changed in place, refused elsewhere and after free."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f16, f32, i32, u32


@sd.struct
class Point:
    where: sd.vec3f
    count: u32


@sd.kernel
def added(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.InOut[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = y[i] + x[i]


@sd.kernel
def doubled(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 2


@sd.kernel
def counted(k: sd.Kernel, p: Annotated[sd.InOut[Point], "n"]) -> None:
    with k.each(p.n) as i:
        p.at(i).count.value = p[i].count + p[i].where.z.u32


ROUND_TRIPS: list[tuple[type[Any], type[Any], tuple[int, ...]]] = [
    (f32, np.float32, ()),
    (f16, np.float16, ()),
    (i32, np.int32, ()),
    (u32, np.uint32, ()),
    (sd.vec2f, np.float32, (2,)),
    (sd.vec3i, np.int32, (3,)),
    (sd.vec3h, np.float16, (3,)),
    (sd.vec4u, np.uint32, (4,)),
    (sd.mat2x3f, np.float32, (2, 3)),
    (sd.mat3x2h, np.float16, (3, 2)),
    (sd.mat4x4f, np.float32, (4, 4)),
]


@pytest.mark.parametrize("axes", [(), (0,), (1,), (5,), (3, 2)], ids=str)
@pytest.mark.parametrize(("element", "dtype", "inner"), ROUND_TRIPS, ids=[e.__name__ for e, _, _ in ROUND_TRIPS])
def test_round_trips(
    executor_name: str, element: type[Any], dtype: type[Any], inner: tuple[int, ...], axes: tuple[int, ...]
) -> None:
    """The bytes come back, odd numbers of halves among them."""
    rng = np.random.default_rng(1)
    host = np.asarray(rng.integers(0, 2**16, (*axes, *inner))).astype(np.uint16).astype(dtype)
    array = sd.array(host, element, device=executor_name)
    assert array.shape == axes
    assert array.device == executor_name
    np.testing.assert_array_equal(array.numpy(), host, strict=True)
    np.testing.assert_array_equal(np.asarray(array), host)


def test_structures_round_trip(executor_name: str) -> None:
    host = np.zeros(3, sd.dtype(Point))
    host["where"] = np.arange(9).reshape(3, 3)
    array = sd.array(host, Point, device=executor_name)
    result = counted(array)
    assert result is array
    assert array.numpy()["count"].tolist() == [2, 5, 8]
    assert array.numpy()["where"].tolist() == host["where"].tolist()


def test_the_type_is_read_off_the_data(executor_name: str) -> None:
    for dtype, name in [(np.float32, "f32"), (np.float16, "f16"), (np.int32, "i32"), (np.uint32, "u32")]:
        assert str(sd.array(np.zeros(3, dtype), device=executor_name).element) == name


def test_the_host_array_is_copied(executor_name: str) -> None:
    host = np.ones(4, np.float32)
    array = sd.array(host, device=executor_name)
    host[:] = 9
    copy = array.numpy()
    copy[:] = 7
    assert array.numpy().tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("order", ["F", "strided", "reversed"])
def test_any_order_of_memory(executor_name: str, order: str) -> None:
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    given = {
        "F": np.asfortranarray(host),
        "strided": np.repeat(host, 2, 1)[:, ::2],
        "reversed": host[::-1].copy()[::-1],
    }
    np.testing.assert_array_equal(sd.array(given[order], device=executor_name).numpy(), host)


def test_data_stays_between_launches(executor_name: str) -> None:
    x = sd.array(np.arange(100, dtype=np.float32), device=executor_name)
    y = sd.array(np.zeros(100, np.float32), device=executor_name)
    for _ in range(5):
        assert added(x, y) is y
    np.testing.assert_array_equal(y.numpy(), 5 * np.arange(100, dtype=np.float32))
    np.testing.assert_array_equal(x.numpy(), np.arange(100, dtype=np.float32))


def test_outputs_beside_resident_inputs_stay_there(executor_name: str) -> None:
    x = sd.array(np.ones(10, np.float32), device=executor_name)
    y = doubled(x)
    assert isinstance(y, sd.DeviceArray)
    assert (y.device, y.shape) == (executor_name, (10,))
    assert doubled(y).numpy().tolist() == [4.0] * 10


def test_numpy_inputs_beside_resident_ones(executor_name: str) -> None:
    host = np.arange(4, dtype=np.float32)
    y = sd.array(np.ones(4, np.float32), device=executor_name)
    assert added(host, y) is y
    np.testing.assert_array_equal(y.numpy(), host + 1)


def test_a_numpy_inout_beside_a_resident_input_comes_back_resident(executor_name: str) -> None:
    host = np.ones(4, np.float32)
    result = added(sd.array(np.arange(4, dtype=np.float32), device=executor_name), host)
    assert isinstance(result, sd.DeviceArray)
    assert result.numpy().tolist() == [1, 2, 3, 4]
    assert host.tolist() == [1, 1, 1, 1]


def test_an_input_may_be_given_twice(executor_name: str) -> None:
    @sd.kernel
    def product(
        k: sd.Kernel,
        a: Annotated[sd.In[f32], "n"],
        b: Annotated[sd.In[f32], "n"],
        c: Annotated[sd.Out[f32], "n"],
    ) -> None:
        with k.each(a.n) as i:
            c[i] = a[i] * b[i]

    x = sd.array(np.arange(4, dtype=np.float32), device=executor_name)
    assert product(x, x).numpy().tolist() == [0, 1, 4, 9]


def test_empty_arrays(executor_name: str) -> None:
    x = sd.array(np.zeros(0, np.float32), device=executor_name)
    y = doubled(x)
    assert y.numpy().shape == (0,)
    assert added(x, y) is y


@pytest.mark.parametrize("first", ["wgpu", "dawn", "interpreter"])
@pytest.mark.parametrize("second", ["wgpu", "dawn", "interpreter"])
def test_another_device_is_refused(first: str, second: str) -> None:
    x = sd.array(np.ones(4, np.float32), device=first)
    if first == second:
        assert doubled(x, device=second).numpy().tolist() == [2.0] * 4
        return
    with pytest.raises(sd.LaunchError, match=f"arrays lie on {first}, the launch asks for {second}"):
        doubled(x, device=second)
    with pytest.raises(sd.LaunchError, match=f"arrays lie on {', '.join(sorted((first, second)))}"):
        added(x, sd.array(np.ones(4, np.float32), device=second))


def test_a_freed_array_is_refused(executor_name: str) -> None:
    x = sd.array(np.ones(4, np.float32), device=executor_name)
    x.free()
    x.free()
    with pytest.raises(sd.LaunchError, match="buffer 'x' was freed"):
        doubled(x)
    with pytest.raises(sd.LaunchError, match="the buffer was freed"):
        x.numpy()


def test_the_wrong_element_is_refused(executor_name: str) -> None:
    with pytest.raises(sd.LaunchError, match="x holds f32, the array u32"):
        doubled(sd.array(np.ones(4, np.uint32), device=executor_name))
    with pytest.raises(sd.LaunchError, match=r"elements of vec3<f32> have shape \(3,\), the data \(4, 2\)"):
        sd.array(np.ones((4, 2), np.float32), sd.vec3f, device=executor_name)


def test_an_empty_list_has_shape(executor_name: str) -> None:
    with pytest.raises(sd.ShaderError):
        sd.array([1.0, 2.0], device=executor_name)  # float64, which is not cut in silence
    with pytest.raises(sd.ShaderError):
        sd.array(3.0, sd.vec3f, device=executor_name)


def test_a_loop_of_launches_matches_numpy(executor_name: str) -> None:
    """Ping-pong between two arrays, without a byte crossing in between."""
    x = sd.array(np.arange(33, dtype=np.float32), device=executor_name)
    for _ in range(10):
        x = doubled(x)
    np.testing.assert_array_equal(x.numpy(), 1024 * np.arange(33, dtype=np.float32))
