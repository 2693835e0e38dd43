"""The face of ops: arguments by position and name, resident arrays, types, what is refused and how it is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.spec.formulas import FORMULAS

scale = sd.op("scale", "y[i, j] = a * x[i, j]")
lookup = sd.op("lookup", "y[t, c] = w[ids[t], c]")
chained = sd.op("chained", "given ids[t]: i32, w[v]\nat[t] = ids[t] + 1\ny[t] = w[at[t]]")


def test_arguments_by_position_and_name(executor_name: str) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert scale.inputs == ("a", "x")
    first, second = scale(2.0, x, device=executor_name), scale(x=x, a=2.0, device=executor_name)
    np.testing.assert_array_equal(first, 2 * x)
    np.testing.assert_array_equal(second, 2 * x)
    assert first.dtype == np.float32


def test_several_outputs_come_by_name(executor_name: str) -> None:
    both = sd.op("both", "y[i] = x[i] + 1\nz[i] = y[i] > 2\nout(y, z)")
    found = both(np.array([0.0, 5.0]), device=executor_name)
    assert list(found) == ["y", "z"]
    assert found["z"].dtype == np.bool_
    np.testing.assert_array_equal(found["z"], [False, True])


def test_rank_zero_and_empty(executor_name: str) -> None:
    total = sd.op("total", "y = sum(i) x[i]")
    assert total(np.ones(5), device=executor_name).shape == ()
    assert total(np.ones(5), device=executor_name) == 5
    assert total(np.ones(0), device=executor_name) == 0
    assert scale(1.0, np.ones((0, 3)), device=executor_name).shape == (0, 3)


def test_resident_arrays_stay(executor_name: str) -> None:
    x = sd.array(np.ones((2, 3), np.float32), device=executor_name)
    y = scale(3.0, x)
    assert isinstance(y, sd.DeviceArray)
    np.testing.assert_array_equal(scale(2.0, y).numpy(), np.full((2, 3), 6.0))
    np.testing.assert_array_equal(x.numpy(), np.ones((2, 3)))


def test_leading_axes_broadcast(executor_name: str) -> None:
    add = sd.op("add", "y[..., i] = x[..., i] + z[..., i]")
    random = np.random.default_rng(0)
    x, z = random.normal(size=(2, 1, 4)), random.normal(size=(3, 4))
    np.testing.assert_allclose(add(x, z, device=executor_name), x + z, atol=1e-6)


def test_whole_numbers_are_exact_and_wrap(executor_name: str) -> None:
    hashed = sd.op(
        "hashed",
        "given x[i]: u32\ny[i] = bit_xor(x[i] * 2654435761, shift_right(x[i], 7)) + mul_high(x[i], 3528531795)",
    )
    x = np.random.default_rng(0).integers(0, 2**32, 50, dtype=np.uint32)
    found = hashed(x, device=executor_name)
    assert found.dtype == np.uint32
    np.testing.assert_array_equal(found, hashed.reference(x))
    signed = sd.op(
        "signed", "given x[i]: i32, z[i]: i32\ny[i] = x[i] // z[i] + x[i] % z[i] * 1000 + mul_high(x[i], z[i])"
    )
    a = np.array([-7, 7, -7, 7, 5, -(2**31)], np.int32)
    b = np.array([3, -3, -3, 3, 0, -1], np.int32)
    np.testing.assert_array_equal(signed(a[:5], b[:5], device=executor_name), signed.reference(a[:5], b[:5]))


def test_a_gather_outside_names_the_position(executor_name: str) -> None:
    w, ids = np.ones((3, 2), np.float32), np.array([0, 2, 3, 1])
    message = r"ids\[t\] is 3 at t = 2: outside axis 0 of w, which has 3"
    with pytest.raises(sd.LaunchError, match=message):
        lookup(w=w, ids=ids, device=executor_name)
    resident = sd.array(ids.astype(np.int32), device=executor_name)
    with pytest.raises(sd.LaunchError, match=message):
        lookup(w=w, ids=resident)


def test_a_computed_index_outside_names_the_position(executor_name: str) -> None:
    ids, w = np.array([0, 1, 2]), np.arange(4.0)
    np.testing.assert_array_equal(chained(ids=ids, w=w, device=executor_name), [1, 2, 3])
    with pytest.raises(sd.LaunchError, match=r"at\[t\] is 4 at t = 1: outside axis 0 of w, which has 4"):
        chained(ids=np.array([0, 3, 2]), w=w, device=executor_name)


def test_a_state_machine_is_checked_too(executor_name: str) -> None:
    machine = sd.op("machine", "given next[s]: i32, x[t]: i32\nh[t] = scan(t) next[h[t - 1]] + x[t]")
    given: dict[str, Any] = {"next": np.array([1, 2, 0]), "x": np.zeros(7, int)}
    np.testing.assert_array_equal(machine(**given, device=executor_name), [1, 2, 0, 1, 2, 0, 1])
    with pytest.raises(sd.LaunchError, match="outside axis 0 of next, which has 3"):
        machine(**given | {"x": np.full(7, 5)}, device=executor_name)


def test_a_fill_needs_no_check(executor_name: str) -> None:
    filled = sd.op("filled", "y[t] = w[ids[t]; -1]")
    np.testing.assert_array_equal(filled(ids=np.array([0, -1, 9]), w=np.ones(2), device=executor_name), [1, -1, -1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": 1.0}, "scale misses x"),
        ({"a": 1.0, "x": np.ones((2, 2)), "z": 1}, "scale has no input z"),
        ({"a": 1.0, "x": np.ones(2)}, "x has 2 axes, not the 1 of shape"),
        ({"a": np.ones(2), "x": np.ones((2, 2))}, "a is a number, not an array of shape"),
        ({"a": 1.0, "x": np.full((1, 1), 1e300)}, "x holds 1e[+]300, which f32 does not hold"),
        ({"a": 1.0, "x": np.array([["no"]])}, "x holds <U2, not real numbers"),
        ({"a": "1", "x": np.ones((2, 2))}, "a is f32, not '1'"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(sd.LaunchError, match=message) as caught:
        scale(**arguments, device="interpreter")
    assert "test_calls.py" in str(caught.value)


def test_whole_numbers_must_fit() -> None:
    with pytest.raises(sd.LaunchError, match="ids holds 4294967296, which int32 does not hold"):
        lookup(w=np.ones((1, 1)), ids=np.array([2**32]), device="interpreter")
    with pytest.raises(sd.LaunchError, match="ids holds whole numbers, not float64"):
        lookup(w=np.ones((1, 1)), ids=np.ones(1), device="interpreter")


def test_nothing_has_no_maximum(executor_name: str) -> None:
    softmax = sd.op("softmax", FORMULAS["softmax"].formula)
    with pytest.raises(sd.LaunchError, match="m is the max of nothing"):
        softmax(np.ones((2, 0)), device=executor_name)


def test_a_name_that_calls_take_is_refused() -> None:
    with pytest.raises(sd.SpecError, match="an input is called device"):
        sd.op("odd", "y[i] = device[i]")


def test_an_op_calls_another(executor_name: str) -> None:
    double = sd.op("double", "y[i] = 2 * x[i]")
    four = sd.op("four", "once = double(x)\ny = double(once)", library={"double": double})
    np.testing.assert_array_equal(four(np.ones(3), device=executor_name), np.full(3, 4.0))


def test_gradients_come_by_input_name(executor_name: str) -> None:
    product = sd.op("product", "y[i] = x[i] * z[i] ** 2")
    x, z, d = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([1.0, 10.0])
    found = product.vjp(x=x, z=z, d_y=d, device=executor_name)
    assert set(found) == {"x", "z"}
    np.testing.assert_allclose(found["x"], d * z**2)
    np.testing.assert_allclose(found["z"], d * 2 * x * z)
    np.testing.assert_allclose(product.vjp.reference(x=x, z=z, d_y=d)["z"], d * 2 * x * z)
    tangent = product.jvp(x=x, z=z, t_x=np.ones(2), t_z=np.zeros(2), device=executor_name)
    np.testing.assert_allclose(tangent, z**2)


def test_gradients_with_leading_axes(executor_name: str) -> None:
    norm = sd.op("norm", FORMULAS["rms_norm"].formula)
    random = np.random.default_rng(0)
    for shape in ((4,), (3, 4), (2, 3, 4)):
        given = {
            "x": random.normal(size=shape),
            "g": random.normal(size=4),
            "eps": 1e-6,
            "d_y": random.normal(size=shape),
        }
        found, expected = norm.vjp(**given, device=executor_name), norm.vjp.reference(**given)
        np.testing.assert_allclose(found["x"], expected["x"], rtol=1e-5, atol=1e-6)


def test_what_an_op_shows() -> None:
    assert scale.formula == "given a, x[i, j]\ny[i, j] = a * x[i, j]"
    assert repr(scale) == "<op scale(a, x)>"
    assert "fn scale_y(" in scale.wgsl()
    assert len(sd.op("softmax", FORMULAS["softmax"].formula).kernels(x=(2, 3, 4))) == 4
    assert "d_x[i, j]" in scale.vjp.formula
