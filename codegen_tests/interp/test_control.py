"""Control flow with divergent lanes: jumps out of nested loops and functions, early returns, loops that some lanes never enter."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f32, i32, u32
from shaderdsl.interp.run import CHUNK, interpret
from shaderdsl.ir.expr import Variable
from shaderdsl.numeric.host import Memory

N = 70
X = np.arange(N, dtype=np.uint32)


@sd.kernel
def jumps(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        total = k.var(x[i])
        for a in k.range(x[i] % 7):
            k.continue_if(a == 1)
            with k.loop():
                total += 1
                k.break_if(total.value % 5 == 0)
                with k.if_(total.value % 3 == 0):
                    total += 10
                    k.continue_()
                for b in k.range(a):
                    k.break_if(b == 3)
                    k.continue_if(b == 2)
                    total += 100
                    with k.if_(total.value > 1500):
                        y[i] = 7777
                        k.return_()
            k.break_if(total.value > 800)
            total += 1000 * (a & 1)
        with k.if_(total.value % 2 == 0):
            k.return_()
        y[i] = total.value + 1


def jumped(x: int) -> int:
    """The same in Python, one lane."""
    total = x
    for a in range(x % 7):
        if a == 1:
            continue
        while True:
            total += 1
            if total % 5 == 0:
                break
            if total % 3 == 0:
                total += 10
                continue
            for b in range(a):
                if b == 3:
                    break
                if b == 2:
                    continue
                total += 100
                if total > 1500:
                    return 7777
        if total > 800:
            break
        total += 1000 * (a & 1)
    return 0 if total % 2 == 0 else total + 1


def test_jumps_out_of_nested_loops(executor_name: str) -> None:
    expected = [jumped(x) for x in range(N)]
    assert len(set(expected)) > 3
    assert jumps(X, device=executor_name).tolist() == expected


@sd.function
def search(k: sd.Kernel, start: u32, limit: u32) -> u32:
    """Returns out of two loops, out of a branch, and at the end."""
    k.return_if(start == 13, 1)
    for a in k.range(start, limit):
        for b in k.range(u32(2), a):
            with k.if_(a % b == 0):
                with k.if_(a % 10 == 4):
                    k.return_(a * 100 + b)
                k.break_()
        k.continue_if(a % 3 != 0)
        with k.if_(a > 60):
            k.return_(a)
    with k.if_(limit > 50):
        k.return_(5)
    return start


@sd.function
def twice(k: sd.Kernel, x: u32) -> u32:
    """A function that calls another under a condition."""
    v = k.var(x)
    with k.if_(x % 2 == 0):
        v.value = search(x, x + 20)
    with k.else_():
        v += search(x + 1, u32(3))
    return v.value


def searched(start: int, limit: int) -> int:
    if start == 13:
        return 1
    for a in range(start, limit):
        for b in range(2, a):
            if a % b == 0:
                if a % 10 == 4:
                    return a * 100 + b
                break
        if a % 3 != 0:
            continue
        if a > 60:
            return a
    return 5 if limit > 50 else start


@sd.kernel
def functions(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.Out[u32], "n, 2"]) -> None:
    with k.each(x.n) as i:
        y[i, 0] = search(x[i], x[i] + 5)
        y[i, 1] = twice(x[i]) + twice(x[i] + 1)


def test_functions_that_return_early(executor_name: str) -> None:
    def doubled(x: int) -> int:
        return searched(x, x + 20) if x % 2 == 0 else x + searched(x + 1, 3)

    y = functions(X, device=executor_name)
    assert y[:, 0].tolist() == [searched(x, x + 5) for x in range(N)]
    assert y[:, 1].tolist() == [doubled(x) + doubled(x + 1) for x in range(N)]


@sd.kernel
def ranges(
    k: sd.Kernel, a: Annotated[sd.In[i32], "n"], b: Annotated[sd.In[i32], "n"], y: Annotated[sd.Out[i32], "3, n"]
) -> None:
    with k.each(a.n) as i:
        up, down, strided = k.var(i32(0)), k.var(i32(0)), k.var(i32(0))
        for j in k.range(a[i], b[i]):
            up.value = up.value * 3 + j
        for j in k.range(a[i], b[i], -2):
            down.value = down.value * 3 + j
        for n in k.range((a[i] + 9).u32, (b[i] + 9).u32, (b[i] & 3).u32 + 1):
            strided.value = strided.value * 3 + n.i32
        y[0, i] = up.value
        y[1, i] = down.value
        y[2, i] = strided.value


def folded(values: range) -> int:
    total = 0
    for value in values:
        total = total * 3 + value
    return int(np.array(total & 0xFFFFFFFF, np.uint32).view(np.int32))


def test_ranges_of_every_direction(executor_name: str) -> None:
    a, b = (m.reshape(-1).astype(np.int32) for m in np.meshgrid(range(-5, 6), range(-5, 6)))
    y = ranges(a, b, device=executor_name)
    pairs = [(int(p), int(q)) for p, q in zip(a, b)]
    assert y[0].tolist() == [folded(range(p, q)) for p, q in pairs]
    assert y[1].tolist() == [folded(range(p, q, -2)) for p, q in pairs]
    assert y[2].tolist() == [folded(range(p + 9, q + 9, (q & 3) + 1)) for p, q in pairs]


@sd.kernel(workgroup_size=32)
def halves(k: sd.Kernel, x: Annotated[sd.In[f32], "rows, 32"], y: Annotated[sd.Out[f32], "rows, 32"]) -> None:
    """Barriers between divergent branches, a tile that neighbours read, several groups in one chunk."""
    tile = k.shared(f32, 32)
    with k.each_group(x.rows) as row:
        lane = k.local_index
        with k.if_(lane < 16):
            tile[lane] = x[row, lane] * 2
        with k.else_():
            tile[47 - lane] = -x[row, lane]
        k.barrier()
        for step in k.range(4):
            value = tile[(lane + step) % 32]
            k.barrier()
            tile[lane] = value + 1
            k.barrier()
        y[row, lane] = tile[31 - lane]


def rolled(x: np.ndarray) -> np.ndarray:
    tile = np.concatenate([x[:, :16] * 2, -x[:, :15:-1]], axis=1)
    for step in range(4):
        tile = np.roll(tile, -step, axis=1) + 1
    return tile[:, ::-1]


@pytest.mark.parametrize("rows", [1, 3, CHUNK // 32, CHUNK // 32 + 1, 1300])
def test_more_lanes_than_a_chunk(rows: int) -> None:
    x = np.random.default_rng(rows).integers(-99, 99, (rows, 32)).astype(np.float32)
    np.testing.assert_array_equal(halves(x, device="interpreter"), rolled(x))


def ran(order: list[int] | None, rows: int) -> np.ndarray:
    """`halves` over workgroups in this order."""
    kernel = halves.trace()
    x, y = (b.variable for b in kernel.buffers)
    data = np.arange(rows * 32, dtype=np.float32)
    memory: dict[Variable, Memory] = {x: data, y: np.zeros(rows * 32, np.float32)}
    interpret(kernel, memory, {"rows": np.array([rows], np.uint32)}, (rows, 1, 1), order=order)
    found = memory[y]
    assert isinstance(found, np.ndarray)
    return found


def test_any_order_of_workgroups_gives_the_same() -> None:
    rows = 600
    shuffled = np.random.default_rng(4).permutation(rows).tolist()
    expected = ran(None, rows)
    np.testing.assert_array_equal(
        expected.reshape(rows, 32), rolled(np.arange(rows * 32, dtype=np.float32).reshape(rows, 32))
    )
    np.testing.assert_array_equal(ran(shuffled, rows), expected)
    assert (ran(shuffled[:-1], rows) != expected).any()


@sd.kernel(workgroup_size=(2, 3, 2))
def inputs(k: sd.Kernel, y: Annotated[sd.Out[u32], "groups, 12, 4"]) -> None:
    group = (
        k.workgroup_id.x
        + k.workgroup_id.y * k.num_workgroups.x
        + k.workgroup_id.z * k.num_workgroups.x * k.num_workgroups.y
    )
    lane = k.local_index
    y[group, lane, 0] = k.local_id.x + k.local_id.y * 10 + k.local_id.z * 100
    y[group, lane, 1] = k.global_id.x + k.global_id.y * 10 + k.global_id.z * 100
    y[group, lane, 2] = k.workgroup_id.x + k.workgroup_id.y * 10 + k.workgroup_id.z * 100
    y[group, lane, 3] = k.num_workgroups.x + k.num_workgroups.y * 10 + k.num_workgroups.z * 100


def test_builtin_inputs(executor_name: str) -> None:
    grid = (3, 2, 2)
    y = inputs(groups=grid, axes={"groups": 12}, device=executor_name)
    place = np.array([1, 10, 100])
    for group in range(12):
        at = np.array([group % 3, group // 3 % 2, group // 6])
        for lane in range(12):
            local = np.array([lane % 2, lane // 2 % 3, lane // 6])
            expected = [local @ place, (at * [2, 3, 2] + local) @ place, at @ place, np.array(grid) @ place]
            assert y[group, lane].tolist() == [int(e) for e in expected]
