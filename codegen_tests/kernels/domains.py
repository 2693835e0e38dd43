"""Index domains of one to three axes, grids given by the caller, every input of an invocation."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel(workgroup_size=(4, 2, 2))
def each_1(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = i * i


@sd.kernel(workgroup_size=(8, 4))
def each_2(k: sd.Kernel, y: Annotated[sd.Out[u32], "rows, cols"]) -> None:
    with k.each(y.rows, y.cols) as (row, column):
        y[row, column] = row * 1000 + column


@sd.kernel(workgroup_size=(4, 4, 2))
def each_3(k: sd.Kernel, y: Annotated[sd.Out[u32], "planes, rows, 5"]) -> None:
    with k.each(y.planes, y.rows, 5) as (plane, row, column):
        y[plane, row, column] = (plane * 100 + row) * 100 + column


@sd.kernel(workgroup_size=4)
def group_1(k: sd.Kernel, y: Annotated[sd.Out[u32], "n, 4"]) -> None:
    with k.each_group(y.n) as i:
        y[i, k.local_index] = i


@sd.kernel(workgroup_size=4)
def group_2(k: sd.Kernel, y: Annotated[sd.Out[u32], "rows, cols, 4"]) -> None:
    with k.each_group(y.rows, y.cols) as (row, column):
        y[row, column, k.local_id.x] = row * 1000 + column


@sd.kernel(workgroup_size=4)
def group_3(k: sd.Kernel, y: Annotated[sd.Out[u32], "a, b, c"], extra: sd.Param[u32]) -> None:
    with k.each_group(y.a, y.b + extra - 1, y.c // 4) as (a, b, c):
        y[a, b, c * 4 + k.local_index] = (a * 100 + b) * 100 + c


@sd.kernel(workgroup_size=(2, 2, 2))
def inputs(k: sd.Kernel, out: Annotated[sd.Out[sd.vec4u], "n, 8"]) -> None:
    """A grid of the caller's own: k.workgroup_id and its kin without a domain."""
    group = (k.workgroup_id.z * k.num_workgroups.y + k.workgroup_id.y) * k.num_workgroups.x + k.workgroup_id.x
    with k.if_(group < out.n):
        out[group, k.local_index] = sd.vec4u(k.global_id, k.local_id.x + k.local_id.y * 2 + k.local_id.z * 4)
