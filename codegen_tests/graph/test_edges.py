"""Graphs at their edges: nothing in an axis, only numbers, arguments as results, one result twice, names that mean something else."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.runtime.array import DeviceArray


def ones(*shape: int) -> Any:
    return np.ones(shape, np.float32)


def test_nothing_in_an_axis(executor_name: str) -> None:
    def graph(x: Any, w: Any) -> Any:
        y = ops.linear(x, w)
        return ops.relu(y), ops.sum(y), ops.transpose(x * 2.0)

    plan = sd.compile(device=executor_name)(graph)
    for rows, inner, columns in ((0, 3, 4), (2, 0, 4), (2, 3, 0), (0, 0, 0), (2, 3, 4)):
        y, total, s = plan(ones(rows, inner), ones(columns, inner))
        np.testing.assert_array_equal(y, np.full((rows, columns), inner))
        np.testing.assert_array_equal(total, np.full(rows, inner * columns))
        assert s.shape == (inner, rows)


def test_the_greatest_of_nothing_is_refused(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda x: ops.max(x))
    with pytest.raises(sd.LaunchError, match="is the max of nothing"):
        plan(ones(2, 0))


def test_conditions_and_whole_numbers_keep_their_types(executor_name: str) -> None:
    pick = sd.op(
        "pick", "given ok[i]: bool, n[i]: u32\ny[i] = where(ok[i], n[i], u32(7))\nno[i] = not ok[i]\nout(y, no)"
    )
    plan = sd.compile(device=executor_name)(lambda ok, n: pick(ok, n))
    found = plan(np.array([True, False]), np.array([1, 2], np.uint32))
    np.testing.assert_array_equal(found["y"], np.array([1, 7], np.uint32))
    np.testing.assert_array_equal(found["no"], [False, True])
    assert (found["y"].dtype, found["no"].dtype) == (np.uint32, np.bool_)


def test_resident_nothing(device_name: str) -> None:
    plan = sd.compile(device=device_name)(lambda x: x * 2.0)
    found = plan(sd.array(ones(0, 3), device=device_name))
    assert isinstance(found, DeviceArray)
    assert found.numpy().shape == (0, 3)


def test_only_numbers(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(
        lambda n, lr: {"n": n + 1, "lr": lr * 0.5 - 1.0, "minus": -n, "half": n / 2}
    )
    assert plan(3, 0.25) == {"n": 4, "lr": -0.875, "minus": -3, "half": 1.5}
    assert plan(2**31 - 1, 1.0)["n"] == -(2**31)
    assert plan.dispatches == 0


def test_numbers_are_rounded_as_kernels_do(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda lr, x: (lr * 0.1 + 0.2, x * 0.0 + (lr * 0.1 + 0.2)))
    number, array = plan(0.3, ones(1))
    assert np.float32(number) == np.float32(np.float32(np.float32(0.3) * np.float32(0.1)) + np.float32(0.2))
    np.testing.assert_allclose(array[0], number, rtol=1e-6)


def test_what_is_no_tensor_comes_back(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda x: {"x": x + 1.0, "word": "softmax", "none": None, "seven": 7})
    found = plan(ones(2))
    assert (found["word"], found["none"], found["seven"]) == ("softmax", None, 7)


def test_arguments_as_results_are_copies(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda x, ids, ok: (x, ids, ok, x))
    x, ids, ok = ones(2, 3), np.array([1, 2], np.int32), np.array([True, False])
    for found, given in zip(plan(x, ids, ok), (x, ids, ok, x), strict=True):
        np.testing.assert_array_equal(found, given)
        assert found.dtype == given.dtype
        assert not np.shares_memory(found, given)


def test_resident_arguments_as_results_are_copies(device_name: str) -> None:
    plan = sd.compile(device=device_name)(lambda x, y: (x, y, x * 2.0))
    x = sd.array(ones(3), device=device_name)
    first, second, third = plan(x, ones(2))
    first.free()
    np.testing.assert_array_equal(x.numpy(), 1)
    np.testing.assert_array_equal(second.numpy(), ones(2))
    np.testing.assert_array_equal(third.numpy(), 2)


def test_constants_as_results(executor_name: str) -> None:
    table = np.arange(6, dtype=np.float32).reshape(2, 3)
    plan = sd.compile(device=executor_name)(lambda x: (ops.add(x, table), ops.copy(ops.mul(table, x))))
    for _ in range(2):
        total, product = plan(ones(2, 3))
        np.testing.assert_array_equal(total, table + 1)
        np.testing.assert_array_equal(product, table)


def test_one_result_twice(executor_name: str) -> None:
    def graph(x: Any) -> Any:
        y = x * 2.0
        return {"a": y, "b": y, "again": x * 2.0}

    plan = sd.compile(device=executor_name)(graph)
    for given in (ones(3), sd.array(ones(3), device=executor_name)):
        found = plan(given)
        assert len({id(a) for a in found.values()}) == 3
        if isinstance(given, DeviceArray):
            found["a"].free()
        else:
            found["a"][0] = 9
        np.testing.assert_array_equal(np.asarray(found["b"]), 2)
    assert plan.dispatches == 1


def test_parameters_by_any_name(executor_name: str) -> None:
    def graph(size: Any, sum: Any, max: Any) -> Any:
        return size * 2.0 + sum["a_b"] + sum["a"]["b"] * max

    plan = sd.compile(device=executor_name)(graph)
    found = plan(ones(2), {"a_b": ones(2) * 3, "a": {"b": ones(2) * 5}}, 7.0)
    np.testing.assert_array_equal(found, 2 + 3 + 35)


def test_an_unused_argument(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda x, _: x + 1.0)
    np.testing.assert_array_equal(plan(ones(2), ones(5)), 2)
    np.testing.assert_array_equal(np.asarray(plan(ones(2), sd.array(ones(5), device=executor_name))), 2)


def test_a_constant_does_not_take_an_arguments_name() -> None:
    known = np.ones(3, np.float32)
    plan = sd.compile(device="interpreter")(with_constant(known))
    assert plan(2 * known).tolist() == [3.0] * 3


def with_constant(known: Any) -> Any:
    def added(b: Any) -> Any:
        return ops.add(ops.add(known, known), b) - known

    return added


def test_numpy_beside_a_tensor() -> None:
    x = np.array([1.0, 2.0], np.float32)

    @sd.compile(device="interpreter")
    def mixed(y: Any) -> Any:
        return np.float32(2) * y + x - np.float64(1) / y

    assert mixed(x).tolist() == [2.0, 5.5]


def test_a_tensor_has_a_length() -> None:
    @sd.compile(device="interpreter")
    def mean(x: Any) -> Any:
        return sd.op("total", "y = sum(i) x[i]")(x) / len(x)

    assert float(mean(np.array([1.0, 3.0], np.float32))) == 2.0
