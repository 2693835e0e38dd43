"""Launches of every shape: sizes around a workgroup, empty axes, grids folded over two axes, axes by number and by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f32, u32
from shaderdsl.execute import fold


@sd.kernel(workgroup_size=64)
def line(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 3 + i


@sd.kernel(workgroup_size=(16, 4))
def plane(k: sd.Kernel, x: Annotated[sd.InOut[u32], "rows, cols"]) -> None:
    with k.each(x.rows, x.cols) as (r, c):
        x[r, c] += r * 1000 + c + 1


@sd.kernel(workgroup_size=(4, 4, 2))
def space(k: sd.Kernel, x: Annotated[sd.InOut[u32], "a, b, c"]) -> None:
    with k.each(x.a, x.b, x.c) as (a, b, c):
        x[a, b, c] += a * 10000 + b * 100 + c + 1


@sd.kernel(workgroup_size=1)
def rows(k: sd.Kernel, x: Annotated[sd.InOut[u32], "n"]) -> None:
    with k.each_group(x.n) as row:
        x[row] += row + 1


@sd.kernel(workgroup_size=1)
def tiles(k: sd.Kernel, x: Annotated[sd.InOut[u32], "a, b"]) -> None:
    with k.each_group(x.a, x.b) as (a, b):
        x[a, b] += a * 70001 + b + 1


@sd.kernel(workgroup_size=64)
def counted(k: sd.Kernel, hits: Annotated[sd.Out[sd.Atomic[u32]], "n"]) -> None:
    with k.each(hits.n) as i:
        hits[i].add(i + 1)


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 255, 256, 257, 997, 4099])
def test_lines(executor_name: str, n: int) -> None:
    x = np.arange(n, dtype=np.uint32)
    y = line(x, device=executor_name)
    assert y.dtype == np.uint32
    np.testing.assert_array_equal(y, x * 4)


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (1, 1), (1, 257), (257, 1), (13, 17), (4, 16), (5, 33)])
def test_planes(executor_name: str, shape: tuple[int, int]) -> None:
    r, c = np.indices(shape, dtype=np.uint32)
    result = plane(np.full(shape, 7, np.uint32), device=executor_name)
    np.testing.assert_array_equal(result, r * 1000 + c + 8)


@pytest.mark.parametrize("shape", [(0, 2, 3), (2, 0, 3), (2, 3, 0), (1, 1, 1), (7, 5, 3), (2, 4, 4), (3, 1, 9)])
def test_spaces(executor_name: str, shape: tuple[int, int, int]) -> None:
    a, b, c = np.indices(shape, dtype=np.uint32)
    result = space(np.zeros(shape, np.uint32), device=executor_name)
    np.testing.assert_array_equal(result, a * 10000 + b * 100 + c + 1)


@pytest.mark.parametrize("n", [65535, 65536, 70000, 131071])
def test_groups_past_one_axis(executor_name: str, n: int) -> None:
    """Each row is visited once: += would show a second visit."""
    result = rows(np.zeros(n, np.uint32), device=executor_name)
    np.testing.assert_array_equal(result, np.arange(1, n + 1, dtype=np.uint32))


@pytest.mark.parametrize("shape", [(70000, 2), (2, 70000), (1, 70001), (300, 301), (0, 70000), (70000, 0)])
def test_groups_of_two_axes_past_one_axis(executor_name: str, shape: tuple[int, int]) -> None:
    a, b = np.indices(shape, dtype=np.uint32)
    result = tiles(np.zeros(shape, np.uint32), device=executor_name)
    np.testing.assert_array_equal(result, a * 70001 + b + 1)


def test_invocations_past_one_axis(executor_name: str) -> None:
    """An atomic count shows that no element is met twice."""
    n = 70000 * 64 + 1
    hits = counted(axes={"n": n}, device=executor_name)
    np.testing.assert_array_equal(hits, np.arange(1, n + 1, dtype=np.uint32))


@pytest.mark.parametrize("total", [0, 1, 65535, 65536, 70000, 131070, 131071, 65535 * 65535, 2**32 - 2**17])
def test_a_folded_grid_covers_the_total_and_fits(total: int) -> None:
    x, y, z = fold(total)
    assert z == 1
    assert x <= 65535
    assert y <= 65535
    assert total <= x * y < total + max(y, 1)


@sd.kernel
def numbered(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n, 3"], y: Annotated[sd.Out[f32], "3, n"], z: Annotated[sd.Out[f32], "4"]
) -> None:
    with k.each(x.n) as i:
        for c in range(3):
            y[c, i] = x[i, c] + c
        z[i % 4] = f32(9)


def test_numbered_axes(executor_name: str) -> None:
    x = np.arange(24, dtype=np.float32).reshape(8, 3)
    result = numbered(x, device=executor_name)
    assert list(result) == ["y", "z"]
    np.testing.assert_array_equal(result["y"], (x + np.arange(3, dtype=np.float32)).T)
    np.testing.assert_array_equal(result["z"], np.full(4, 9, np.float32))


@sd.kernel
def filled(k: sd.Kernel, y: Annotated[sd.Out[f32], "rows, cols"], value: sd.Param[f32]) -> None:
    with k.each(y.rows * y.cols) as i:
        y[i // y.cols, i % y.cols] = value


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (9, 31)])
def test_axes_of_outputs_by_name(executor_name: str, shape: tuple[int, int]) -> None:
    sizes: dict[str, int] = {"rows": shape[0], "cols": shape[1]}
    np.testing.assert_array_equal(
        filled(2.5, axes=sizes, device=executor_name), np.full(shape, 2.5, np.float32), strict=True
    )


@sd.kernel
def shifted(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], extra: Annotated[sd.In[f32], "m"], y: Annotated[sd.Out[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        y[i] = x[i]
        with k.if_(i < extra.m):
            y[i] = x[i] + extra[i]


@pytest.mark.parametrize("m", [0, 1, 5])
def test_an_empty_input_beside_a_full_one(executor_name: str, m: int) -> None:
    """No binding of size zero reaches a driver."""
    x, extra = np.arange(3, dtype=np.float32), np.full(m, 10, np.float32)
    expected = x.copy()
    expected[: min(m, 3)] += 10
    np.testing.assert_array_equal(shifted(x, extra, device=executor_name), expected)


@sd.kernel(workgroup_size=(4, 2, 1))
def free(k: sd.Kernel, y: Annotated[sd.Out[sd.Atomic[u32]], "2"]) -> None:
    y[0].add(1)
    y[1].max(k.num_workgroups.x * 100 + k.num_workgroups.y * 10 + k.num_workgroups.z)


@pytest.mark.parametrize(
    ("groups", "invocations", "grid"),
    [(3, 24, 311), ((3,), 24, 311), ((3, 2), 48, 321), ([3, 2, 2], 96, 322), ((0, 2), 0, 0)],
)
def test_groups_as_the_caller_says(executor_name: str, groups: Any, invocations: int, grid: int) -> None:
    assert free(groups=groups, device=executor_name).tolist() == [invocations, grid]


def strided(x: np.ndarray) -> Mapping[str, np.ndarray]:
    """The same values in memory of other orders."""
    wide = np.zeros((x.shape[0] * 2, x.shape[1] * 3), x.dtype)
    wide[::2, ::3] = x
    backwards = np.ascontiguousarray(x[::-1, ::-1])
    read_only = x.copy()
    read_only.flags.writeable = False
    return {
        "strided": wide[::2, ::3],
        "fortran": np.asfortranarray(x),
        "negative": backwards[::-1, ::-1],
        "read_only": read_only,
        "broadcast": np.broadcast_to(x, x.shape),
        "transposed": np.ascontiguousarray(x.T).T,
    }


@pytest.mark.parametrize("order", ["strided", "fortran", "negative", "read_only", "broadcast", "transposed"])
def test_memory_orders_of_arguments(executor_name: str, order: str) -> None:
    x = np.arange(77, dtype=np.uint32).reshape(7, 11)
    given = strided(x)[order]
    before = given.copy()
    r, c = np.indices(x.shape, dtype=np.uint32)
    result = plane(given, device=executor_name)
    np.testing.assert_array_equal(result, x + r * 1000 + c + 1)
    np.testing.assert_array_equal(given, before)
    assert result.flags.c_contiguous
    assert result.flags.writeable


@pytest.mark.parametrize("executor", ["interpreter", "wgpu", "dawn"])
def test_another_byte_order_is_refused_by_name(executor: str) -> None:
    with pytest.raises(sd.LaunchError, match="its dtype is uint32, not >u4"):
        line(np.arange(4, dtype=">u4"), device=executor)


@sd.kernel
def several(
    k: sd.Kernel,
    a: Annotated[sd.In[f32], "n"],
    b: Annotated[sd.InOut[f32], "n"],
    c: Annotated[sd.Out[f32], "n"],
    d: Annotated[sd.Out[u32], "n"],
) -> None:
    with k.each(a.n) as i:
        b[i] = b[i] + a[i]
        c[i] = b[i] * 2
        d[i] = i


def test_several_outputs_come_by_name_in_the_signatures_order(executor_name: str) -> None:
    a, b = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
    result = several(a, b, device=executor_name)
    assert list(result) == ["b", "c", "d"]
    np.testing.assert_array_equal(result["b"], a + 1)
    np.testing.assert_array_equal(result["c"], (a + 1) * 2)
    np.testing.assert_array_equal(result["d"], np.arange(5, dtype=np.uint32))
    np.testing.assert_array_equal(b, np.ones(5, np.float32))


@pytest.mark.parametrize("sizes", [(3, 4), (0, 1)])
def test_two_sizes_of_one_axis_are_refused(executor_name: str, sizes: Sequence[int]) -> None:
    a, b = (np.zeros(n, np.float32) for n in sizes)
    with pytest.raises(sd.LaunchError, match=f"axis n is {sizes[0]} elsewhere and {sizes[1]} in b"):
        several(a, b, device=executor_name)


@sd.kernel
def nothing(k: sd.Kernel, x: Annotated[sd.In[f32], "n"]) -> None:
    with k.each(x.n) as i:
        k.return_if(x[i] < 0)


def test_a_kernel_without_outputs_gives_none(executor_name: str) -> None:
    assert nothing(np.ones(3, np.float32), device=executor_name) is None
