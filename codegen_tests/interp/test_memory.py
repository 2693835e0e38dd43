"""Memory in the interpreter: places out of range, snapshots of whole values, every address space, atomics in lane order."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel
def around(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], at: Annotated[sd.In[i32], "m"], y: Annotated[sd.Out[f32], "m"]
) -> None:
    with k.each(at.m) as i:
        y[i] = x[at[i]] + 1


def test_loads_out_of_range_give_zero() -> None:
    at = np.array([0, 2, 3, -1, -(2**31), 2**31 - 1], np.int32)
    y = around(np.array([10, 20, 30], np.float32), at, device="interpreter")
    assert y.tolist() == [11, 31, 1, 1, 1, 1]


def test_loads_from_an_empty_buffer_give_zero() -> None:
    y = around(np.zeros(0, np.float32), np.array([0, 5, -1], np.int32), device="interpreter")
    assert y.tolist() == [1, 1, 1]


@sd.kernel
def scattered(k: sd.Kernel, at: Annotated[sd.In[i32], "m"], y: Annotated[sd.InOut[f32], "n"]) -> None:
    with k.each(at.m) as i:
        y[at[i]] = i.f32 + 1


def test_stores_out_of_range_are_dropped() -> None:
    at = np.array([-1, 3, 1, 4, 2**31 - 1, -(2**31)], np.int32)
    y = scattered(at, np.full(4, 9, np.float32), device="interpreter")
    assert y.tolist() == [9, 3, 9, 2]


def test_the_last_lane_wins_where_several_store() -> None:
    y = scattered(np.zeros(5, np.int32), np.zeros(1, np.float32), device="interpreter")
    assert y.tolist() == [5]


@sd.kernel(workgroup_size=4)
def small_memory(k: sd.Kernel, at: Annotated[sd.In[i32], "4"], y: Annotated[sd.Out[f32], "5, 4"]) -> None:
    """Out of range in shared, private and function memory, in a table and in a vector."""
    tile = k.shared(f32, 3)
    own = k.private(f32, 3)
    ones = k.table(f32, [5, 6, 7])
    with k.each_group(1) as _:
        lane = k.local_index
        mine = k.array(f32, 3)
        v = k.var(sd.vec3f(1, 2, 3))
        for n in range(3):
            own[n] = f32(n + 1)
            mine[n] = f32(n + 11)
        with k.if_(lane < 3):
            tile[lane] = lane.f32 + 21
        k.barrier()
        own[at[lane]] = 100
        mine[at[lane]] = 200
        y[0, lane] = tile[at[lane]]
        y[1, lane] = own[at[lane]] + own[0]
        y[2, lane] = mine[at[lane]] + mine[2]
        y[3, lane] = ones[at[lane]]
        y[4, lane] = v.value[at[lane]]


def test_small_memory_out_of_range() -> None:
    y = small_memory(np.array([0, 2, 3, -1], np.int32), device="interpreter")
    assert y.tolist() == [[21, 23, 0, 0], [200, 101, 1, 1], [213, 400, 13, 13], [5, 7, 0, 0], [1, 3, 0, 0]]


@sd.struct
class Body:
    where: sd.vec3f
    turn: sd.mat2x2f
    hits: Annotated[sd.Array[i32], 3]


@sd.struct
class System:
    first: Body
    others: Annotated[sd.Array[Body], 2]


@sd.kernel
def held(k: sd.Kernel, s: Annotated[sd.InOut[System], "n"], y: Annotated[sd.Out[f32], "n, 8"]) -> None:
    """Whole values are snapshots: later stores to the place, or to parts of it, do not change them."""
    with k.each(s.n) as i:
        whole = s[i]
        other = s[i].others[1]
        hits = s[i].first.hits
        s.at(i).first.where.x = 100
        s.at(i).first.hits[1] = 55
        s.at(i).others.at(1).turn[1] = sd.vec2f(7, 8)
        s.at(i).others.at(0).value = other
        v = k.var(whole)
        v.first.where.y = -1
        copy = v.value
        v.others.at(0).hits[2] = 9
        y[i, 0] = whole.first.where.x
        y[i, 1] = hits[1].f32
        y[i, 2] = other.turn[1][0]
        y[i, 3] = s[i].others[0].turn[1].y
        y[i, 4] = s[i].others[1].turn[1].y
        y[i, 5] = copy.others[0].hits[2].f32
        y[i, 6] = v.value.others[0].hits[2].f32
        y[i, 7] = copy.first.where.y


def test_structures_and_arrays_are_snapshots(executor_name: str) -> None:
    s = np.zeros(2, sd.dtype(System))
    s["first"]["where"] = [1, 2, 3]
    s["first"]["hits"] = [4, 5, 6]
    s["others"]["turn"] = [[[[1, 2], [3, 4]], [[5, 6], [30, 40]]]]
    result = held(s, device=executor_name)
    assert result["y"].tolist() == [[1, 5, 30, 40, 8, 0, 9, -1]] * 2
    assert result["s"]["first"]["where"].tolist() == [[100, 2, 3]] * 2
    assert result["s"]["first"]["hits"].tolist() == [[4, 55, 6]] * 2


@sd.kernel
def turned(
    k: sd.Kernel,
    m: Annotated[sd.In[sd.mat2x3f], "n"],
    v: Annotated[sd.In[sd.vec3f], "n"],
    y: Annotated[sd.Out[f32], "n, 6"],
) -> None:
    """Columns are stored and read by index, constant and not."""
    with k.each(m.n) as i:
        w = k.var(m[i])
        w[i % 2] = v[i]
        y[i, 0] = w.value[0].x
        y[i, 1] = w.value[1].z
        w.at(1).y = 50
        y[i, 2] = w.value[1][1]
        y[i, 3] = (v[i] * w.value).y
        y[i, 4] = (w.value * sd.vec2f(1, 2)).z
        y[i, 5] = (sd.transpose(w.value) * v[i]).x


def test_matrices(executor_name: str) -> None:
    m = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    v = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    expected: list[list[float]] = []
    for i in range(2):
        w = m[i].copy()
        w[i % 2] = v[i]
        row = [w[0, 0], w[1, 2], 50]
        w[1, 1] = 50
        expected.append([*row, (w @ v[i])[1], (w.T @ np.array([1, 2]))[2], (w @ v[i])[0]])
    assert turned(m, v, device=executor_name).tolist() == expected


@sd.kernel(workgroup_size=8)
def ordered(k: sd.Kernel, c: Annotated[sd.InOut[sd.Atomic[i32]], "6"], y: Annotated[sd.Out[i32], "7, n"]) -> None:
    with k.each(y.n) as i:
        v = i.i32 + 1
        y[0, i] = c[0].add(v)
        y[1, i] = c[1].exchange(v)
        y[2, i] = c[2].max(10 - v * 2)
        y[3, i] = c[3].xor(v)
        got = c[4].compare_exchange_weak(i.i32, v)
        y[4, i] = got.old_value
        y[5, i] = got.exchanged.i32
        y[6, i] = c[5].sub(v)


def test_atomics_apply_in_lane_order() -> None:
    """One lane after the other, each seeing what the ones before did; the buffer holds the last."""
    n = 5
    result = ordered(np.array([100, -1, 3, 0, 0, 50], np.int32), axes={"n": n}, device="interpreter")
    values = np.arange(1, n + 1)
    before = np.concatenate([[0], np.cumsum(values)])
    y = result["y"]
    assert y[0].tolist() == (100 + before[:-1]).tolist()
    assert y[1].tolist() == [-1, 1, 2, 3, 4]
    assert y[2].tolist() == [3, 8, 8, 8, 8]
    assert y[3].tolist() == [0, 1, 3, 0, 4]
    assert y[4].tolist() == [0, 1, 2, 3, 4]
    assert y[5].tolist() == [1] * 5
    assert y[6].tolist() == (50 - before[:-1]).tolist()
    assert result["c"].tolist() == [115, 5, 8, 1, 5, 35]


@sd.kernel(workgroup_size=4)
def lost(
    k: sd.Kernel,
    at: Annotated[sd.In[i32], "n"],
    c: Annotated[sd.InOut[sd.Atomic[u32]], "m"],
    y: Annotated[sd.Out[u32], "n"],
) -> None:
    with k.each(at.n) as i:
        y[i] = c[at[i]].add(5)
        c[at[i]].or_(16)


def test_atomics_out_of_range_do_nothing() -> None:
    result = lost(np.array([0, -1, 1, 2, 0], np.int32), np.array([1, 2], np.uint32), device="interpreter")
    assert result["c"].tolist() == [27, 23]
    assert result["y"].tolist()[:4] == [1, 0, 2, 0]


def test_atomics_wrap() -> None:
    result = lost(np.array([0], np.int32), np.array([2**32 - 1], np.uint32), device="interpreter")
    assert result["c"].tolist() == [20]


@sd.kernel(workgroup_size=4)
def fresh(k: sd.Kernel, y: Annotated[sd.Out[u32], "n, 4"]) -> None:
    """Private memory starts at zero, variables anew each time control comes by."""
    own = k.private(u32, 1)
    with k.each_group(y.n) as row:
        total = k.var(u32(0))
        for n in k.range(3):
            inner = k.var(u32(1))
            inner += n
            total += inner.value
        own[0] = own[0] + 1
        y[row, k.local_index] = own[0] * 10 + total.value


def test_private_memory_starts_at_zero_in_each_group(executor_name: str) -> None:
    assert fresh(axes={"n": 3}, device=executor_name).tolist() == [[16] * 4] * 3


@sd.kernel(workgroup_size=4)
def clean(k: sd.Kernel, y: Annotated[sd.Out[u32], "n, 4"]) -> None:
    tile = k.shared(u32, 4)
    with k.each_group(y.n) as row:
        lane = k.local_index
        tile[lane] = tile[lane] + lane + 1
        y[row, lane] = tile[lane]


@pytest.mark.parametrize("executor", ["dawn", "interpreter"])
def test_shared_memory_starts_at_zero_in_each_group(executor: str) -> None:
    """lavapipe is left out by name: Mesa 22.3 hands a workgroup what the one before left (wgpu on SwiftShader gives zeros)."""
    assert clean(axes={"n": 3}, device=executor).tolist() == [[1, 2, 3, 4]] * 3


@pytest.mark.parametrize("count", [1, 2, 5])
def test_tables_are_read_by_every_lane(executor_name: str, count: int) -> None:
    @sd.kernel
    def weighed(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"], big: Annotated[sd.Out[u32], "n"]) -> None:
        weights = k.table(f32, [i / 4 for i in range(count)])
        masks = k.table(u32, [2**32 - 1 - i for i in range(count)])
        with k.each(y.n) as i:
            y[i] = weights[i % count] + weights[count - 1]
            big[i] = masks[i % count]

    result = weighed(axes={"n": 7}, device=executor_name)
    assert result["y"].tolist() == [(i % count + count - 1) / 4 for i in range(7)]
    assert result["big"].tolist() == [2**32 - 1 - i % count for i in range(7)]
