"""State that stays on the device: updated in place or by swapping, handed on as new arrays, and refused where it could not be told apart."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.graph.donate import How
from shaderdsl.graph.overwrite import loads_first
from shaderdsl.runtime.array import DeviceArray

RNG = np.random.default_rng(1)


def drawn(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def adam(params: Any, state: Any, grads: Any, lr: Any) -> Any:
    """Several parameters; each a tensor with its two moments, and a count of steps."""
    new, moments = {}, {}
    for name, p in params.items():
        m = state["m"][name] * 0.9 + grads[name] * 0.1
        v = state["v"][name] * 0.99 + grads[name] * grads[name] * 0.01
        new[name], moments[name] = p - m / (ops.sqrt(v) + 1e-3) * lr, (m, v)
    m, v = ({n: pair[k] for n, pair in moments.items()} for k in range(2))
    return new, {"m": m, "v": v, "t": state["t"] + 1}


def adam_in_numpy(params: Any, state: Any, grads: Any, lr: float) -> Any:
    m = {n: state["m"][n] * 0.9 + grads[n] * 0.1 for n in params}
    v = {n: state["v"][n] * 0.99 + grads[n] ** 2 * 0.01 for n in params}
    new = {n: params[n] - m[n] / (np.sqrt(v[n]) + 1e-3) * lr for n in params}
    return new, {"m": m, "v": v, "t": state["t"] + 1}


def hows(plan: Any) -> set[How]:
    return {t.how for t in plan.planned.takes.values()}


@pytest.mark.parametrize("fusion", [True, False])
def test_an_optimiser_in_place(executor_name: str, fusion: bool) -> None:
    plan = sd.compile(device=executor_name, fusion=fusion, donate=("params", "state"))(adam)
    shapes = {"w": (6, 8), "b": (8,), "odd": (3, 5)}
    params = {n: drawn(*s) for n, s in shapes.items()}
    state: Any = {
        "m": {n: np.zeros_like(p) for n, p in params.items()},
        "v": {n: np.zeros_like(p) for n, p in params.items()},
        "t": 0,
    }
    expected, known = params, state
    for _ in range(4):
        grads = {n: drawn(*s) for n, s in shapes.items()}
        params, state = plan(params, state, grads, 0.01)
        expected, known = adam_in_numpy(expected, known, grads, 0.01)
    assert state["t"] == 4
    assert all(isinstance(p, DeviceArray) for p in (*params.values(), *state["m"].values(), *state["v"].values()))
    for name in shapes:
        np.testing.assert_allclose(params[name].numpy(), expected[name], rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(state["v"][name].numpy(), known["v"][name], rtol=1e-4, atol=1e-7)
    assert {t.argument for t in plan.planned.takes.values()} == {f"params_{n}" for n in shapes} | {
        f"state_{k}_{n}" for k in "mv" for n in shapes
    }
    if fusion:
        assert hows(plan) == {How.OVER}


def test_what_is_written_over_keeps_its_buffer(device_name: str) -> None:
    plan = sd.compile(device=device_name, donate=("x",))(lambda x: x * 2.0)
    given = sd.array(np.ones(8, np.float32), device=device_name)
    buffer = given.buffer
    for number in range(3):
        given = plan(given)
        assert given.buffer is buffer
        np.testing.assert_array_equal(given.numpy(), 2.0 ** (number + 1))
    (binding,) = plan.planned.launches[0].kernel.buffers
    assert binding.written


def test_what_cannot_be_swaps(executor_name: str) -> None:
    plan = sd.compile(device=executor_name, donate=("state",))(lambda state, w: ops.matmul(state, w))
    state: Any = drawn(4, 4)
    expected = state.astype(np.float64)
    w = drawn(4, 4)
    buffers = set()
    for _ in range(6):
        state = plan(state, w)
        expected = expected @ w
        buffers.add(id(state.buffer))
    assert hows(plan) == {How.SWAP}
    assert len(buffers) <= 2
    np.testing.assert_allclose(state.numpy(), expected, rtol=1e-3)


def test_after_its_last_use(executor_name: str) -> None:
    def step(state: Any) -> Any:
        return ops.softmax(ops.transpose(ops.softmax(ops.transpose(ops.softmax(state)))))

    plan = sd.compile(device=executor_name, fusion=False, donate=("state",))(step)
    x = drawn(4, 4)
    expected = sd.compile(device=executor_name)(step)(x)
    np.testing.assert_allclose(plan(x).numpy(), expected, rtol=1e-5)
    assert hows(plan) == {How.AFTER}


def test_a_cache_is_written_where_it_lies(executor_name: str) -> None:
    plan = sd.compile(device=executor_name, donate=("cache",))(lambda cache, new, at: ops.cache_write(cache, new, at))
    cache: Any = np.zeros((2, 5, 4), np.float32)
    rows = [drawn(2, 1, 4) for _ in range(5)]
    for number, row in enumerate(rows):
        cache = plan(cache, row, number)
    np.testing.assert_array_equal(cache.numpy(), np.concatenate(rows, 1))
    assert hows(plan) == {How.OVER}


def test_what_is_returned_as_it_is_keeps_its_memory(executor_name: str) -> None:
    plan = sd.compile(device=executor_name, donate=("params",))(lambda params: {**params, "w": params["w"] * 2.0})
    params: Any = {"w": drawn(3), "frozen": drawn(4)}
    frozen = params["frozen"]
    for _ in range(3):
        params = plan(params)
    np.testing.assert_array_equal(params["frozen"].numpy(), frozen)
    assert hows(plan) == {How.KEEP, How.OVER}


def test_others_are_as_without(executor_name: str) -> None:
    plan = sd.compile(device=executor_name, donate=("state",))(lambda state, x: (state + x, x * 3.0))
    state, result = plan(drawn(3), np.ones(3, np.float32))
    assert isinstance(state, DeviceArray)
    assert isinstance(result, np.ndarray)
    state, result = plan(state, sd.array(np.ones(3, np.float32), device=executor_name))
    assert isinstance(result, DeviceArray)
    np.testing.assert_array_equal(result.numpy(), 3)


def test_a_result_twice_is_two_arrays(executor_name: str) -> None:
    plan = sd.compile(device=executor_name, donate=("state",))(lambda state: (y := state + 1.0, y))
    first, second = plan(np.zeros(3, np.float32))
    first = plan(first)[0]
    np.testing.assert_array_equal(first.numpy(), 2)
    np.testing.assert_array_equal(second.numpy(), 1)


def test_a_consumed_array_says_who_has_it(executor_name: str) -> None:
    def step(state: Any) -> Any:
        return state + 1.0

    plan = sd.compile(device=executor_name, donate=("state",))(step)
    state = sd.array(np.zeros(3, np.float32), device=executor_name)
    new = plan(state)
    uses = [
        lambda: plan(state),
        state.numpy,
        lambda: state.copy(),
        lambda: ops.exp(state),
        lambda: sd.compile(step)(state),
        lambda: sd.compile(lambda x: x * ops.exp(state))(np.ones(3, np.float32)),
    ]
    for use in uses:
        with pytest.raises(sd.LaunchError, match="donated to step") as caught:
            use()
        assert list(caught.value.hints) == ["use the array that step returned in its place"]
    np.testing.assert_array_equal(new.numpy(), 1)


def test_one_array_is_donated_once(executor_name: str) -> None:
    plan = sd.compile(device=executor_name, donate=("state",))(lambda state, x: state + x)
    both = sd.array(np.ones(3, np.float32), device=executor_name)
    with pytest.raises(sd.LaunchError, match="state and x are the same array"):
        plan(both, both)
    np.testing.assert_array_equal(plan(both, both.copy()).numpy(), 2)


def test_what_nobody_takes_over_is_refused() -> None:
    def loss(params: Any, x: Any) -> Any:
        return ops.sum(params["w"] * x)

    with pytest.raises(sd.GraphError, match="no result of loss takes over the donated params_w"):
        sd.compile(device="interpreter", donate=("params",))(loss)({"w": drawn(3)}, drawn(3))
    with pytest.raises(sd.GraphError, match="no result of <lambda> takes over the donated x"):
        sd.compile(device="interpreter", donate=("x",))(lambda x: ops.sum(x))(drawn(3, 3))


def test_a_parameter_that_is_not_there_is_refused() -> None:
    with pytest.raises(sd.GraphError, match="loss has no parameter weights to donate") as caught:

        @sd.compile(donate=("weights",))
        def loss(params: Any) -> Any:
            return params

    assert caught.value.loc is not None


def test_in_place_means_at_its_own_place(executor_name: str) -> None:
    shift = sd.op("shift", "y[t] = x[t - 1] + x[t]")
    plan = sd.compile(device=executor_name, donate=("x",))(lambda x: shift(x))
    x = np.arange(600, dtype=np.float32)
    expected = x + np.concatenate([[0], x[:-1]])
    np.testing.assert_array_equal(plan(x).numpy(), expected)
    assert hows(plan) == {How.SWAP}


def test_a_later_reader_keeps_the_old_value(executor_name: str) -> None:
    def step(state: Any, x: Any) -> Any:
        new = state + x
        return new, ops.matmul(state, x)

    plan = sd.compile(device=executor_name, donate=("state",), fusion=False)(step)
    s, x = drawn(4, 4), drawn(4, 4)
    new, product = plan(s, x)
    np.testing.assert_allclose(new.numpy(), s + x, rtol=1e-6)
    np.testing.assert_allclose(product, s.astype(np.float64) @ x, rtol=1e-4, atol=1e-6)


def test_loads_before_stores_are_told() -> None:
    plan = sd.compile(device="interpreter", donate=("x",))(lambda x: x * 2.0)
    plan(drawn(8))
    kernel = plan.planned.launches[0].kernel
    (name,) = (b.variable.name for b in kernel.buffers)
    assert loads_first(kernel, name)
    assert not loads_first(replace(kernel, body=(*kernel.body, *kernel.body)), name)
