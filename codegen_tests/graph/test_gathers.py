"""Indices outside their axis in graphs: found before the launches where the host has them, by a launch elsewhere, and named with their position."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import ops

TABLE = np.arange(10, dtype=np.float32).reshape(5, 2)
embed = sd.op("embed", "given w[v, c], ids[t]: i32\ny[t, c] = w[ids[t], c]")
filled = sd.op("filled", "given w[v, c], ids[t]: i32\ny[t, c] = w[ids[t], c; 9]")
pick = sd.op("pick", "given w[v, c], ids[b, t]: i32, at[t]: u32\ny[b, t] = w[ids[b, t], at[t]]")
after = sd.op("after", "given ids[t]: i32\nnext[t] = ids[t] + 1")
twice = sd.op("twice", "given w[v], a[u]: i32, b[t]: i32\ny[t] = w[a[b[t]]]")
one = sd.op("one", "given w[v, c], ids[t]: i32\ny[c] = w[ids[0], c]")
total = sd.op("total", "given w[v], ids[t]: i32\ny = sum(t) w[ids[t]]")
carried = sd.op("carried", "given w[v], ids[t]: i32\nh[t] = scan(t) h[t - 1] * 0.5 + w[ids[t]]")


def ids(*values: int) -> Any:
    return np.array(values, np.int32)


def given(array: Any, executor_name: str, resident: bool) -> Any:
    return sd.array(array, device=executor_name) if resident else array


@pytest.mark.parametrize("resident", [False, True])
@pytest.mark.parametrize("fusion", [False, True])
def test_inside_is_as_the_op(executor_name: str, fusion: bool, resident: bool) -> None:
    plan = sd.compile(device=executor_name, fusion=fusion)(lambda w, i: ops.relu(embed(w, i)))
    for rows in ([0, 4, 2], [1, 1, 1]):
        np.testing.assert_array_equal(np.asarray(plan(TABLE, given(ids(*rows), executor_name, resident))), TABLE[rows])


@pytest.mark.parametrize("resident", [False, True])
@pytest.mark.parametrize(
    ("graph", "arguments", "message"),
    [
        (lambda w, ids: embed(w, ids), (TABLE, ids(0, 5, 9)), "ids[t] is 5 at t = 1: outside axis 0 of w, which has 5"),
        (
            lambda w, ids: embed(w, ids),
            (TABLE, ids(0, 1, -1)),
            "ids[t] is -1 at t = 2: outside axis 0 of w, which has 5",
        ),
        (
            lambda w, ids: embed(w, after(ids)),
            (TABLE, ids(3, 4)),
            "after[t] is 5 at t = 1: outside axis 0 of w, which has 5",
        ),
        (
            lambda w, ids, at: pick(w, ids, at),
            (TABLE, np.array([[0, 1], [2, 3]], np.int32), np.array([1, 2], np.uint32)),
            "at[t] is 2 at t = 1: outside axis 1 of w, which has 2",
        ),
        (
            lambda w, a, b: twice(w, a, b),
            (np.ones(3, np.float32), ids(0, 7), ids(1, 0)),
            "a[b[t]] is 7 at t = 0: outside axis 0 of w, which has 3",
        ),
        (
            lambda w, a, b: twice(w, a, b),
            (np.ones(3, np.float32), ids(0, 1), ids(1, 2)),
            "b[t] is 2 at t = 1: outside axis 0 of a, which has 2",
        ),
        (lambda w, ids: one(w, ids), (TABLE, ids(8)), "ids[0] is 8: outside axis 0 of w, which has 5"),
        (lambda w, ids: total(w, ids), (TABLE[:, 0], ids(8)), "ids[t] is 8 at t = 0: outside axis 0 of w, which has 5"),
        (
            lambda w, ids: carried(w, ids),
            (TABLE[:, 0], ids(0, 6)),
            "ids[t] is 6 at t = 1: outside axis 0 of w, which has 5",
        ),
        (
            lambda w, ids: (loss := ops.sum(ops.sum(embed(w, ids))), sd.grad(loss, {"w": w})),
            (TABLE, ids(1, 5)),
            "ids[t] is 5 at t = 1: outside axis 0 of w, which has 5",
        ),
    ],
)
def test_outside_is_named(executor_name: str, graph: Any, arguments: Any, message: str, resident: bool) -> None:
    plan = sd.compile(device=executor_name)(graph)
    with pytest.raises(sd.LaunchError) as caught:
        plan(*[given(a, executor_name, resident and a.dtype.kind != "f") for a in arguments])
    assert caught.value.message == message
    assert caught.value.loc is not None
    assert caught.value.loc.span().path == __file__


def test_a_plan_runs_again_after_an_error(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda w, ids: embed(w, ids))
    for resident in (False, True):
        with pytest.raises(sd.LaunchError, match="is 7 at t = 0"):
            plan(TABLE, given(ids(7, 1), executor_name, resident))
        found = plan(TABLE, given(ids(2, 1), executor_name, resident))
        np.testing.assert_array_equal(np.asarray(found), TABLE[[2, 1]])


def test_a_fill_is_no_error(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda w, ids: filled(w, ids))
    for resident in (False, True):
        found = plan(TABLE, given(ids(7, 1), executor_name, resident))
        np.testing.assert_array_equal(np.asarray(found), [[9, 9], TABLE[1]])


def test_no_indices_no_error(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda w, ids: embed(w, ids))
    for resident in (False, True):
        assert np.asarray(plan(TABLE, given(ids(), executor_name, resident))).shape == (0, 2)
        assert np.asarray(plan(TABLE[:, :0], given(ids(1), executor_name, resident))).shape == (1, 0)


def test_constants_are_looked_at(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda w: embed(w, ids(0, 6)))
    with pytest.raises(sd.LaunchError, match=r"ids\[t\] is 6 at t = 1"):
        plan(TABLE)


def test_what_was_updated_in_place_is_named_without_its_value(executor_name: str) -> None:
    plan = sd.compile(device=executor_name, donate=("state",))(lambda state, w: (after(state), embed(w, state)))
    state, found = plan(ids(0, 3), TABLE)
    np.testing.assert_array_equal(found, TABLE[[0, 3]])
    state, found = plan(state, TABLE)
    np.testing.assert_array_equal(found, TABLE[[1, 4]])
    with pytest.raises(sd.LaunchError) as caught:
        plan(state, TABLE)
    assert caught.value.message == "an index of w[state[t], c] at t = 1 is outside w, which has the shape (5, 2)"


def test_no_check_where_the_host_has_the_indices(executor_name: str) -> None:
    plan = sd.compile(device=executor_name)(lambda w, ids: embed(w, ids))
    plan(TABLE, ids(0, 1))
    assert plan.dispatches == 1
    assert plan.planned.faults == {}
    plan(TABLE, sd.array(ids(0, 1), device=executor_name))
    assert len(plan.planned.faults) == 1
