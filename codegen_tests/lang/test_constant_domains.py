"""Domains whose extents are numbers: every point once, on every device, at tile edges and beyond."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import u32


def planes(rows: int, columns: int) -> Callable[[str], np.ndarray]:
    @sd.kernel(workgroup_size=(16, 4))
    def counted(k: sd.Kernel, y: Annotated[sd.InOut[u32], "h, w"]) -> None:
        with k.each(rows, columns) as (i, j):
            y[i, j] += 1 + i * 1000 + j

    return lambda device: counted(np.zeros((rows, columns), np.uint32), device=device)


def solids(x: int, y: int, z: int) -> Callable[[str], np.ndarray]:
    @sd.kernel(workgroup_size=(4, 2, 2))
    def counted(k: sd.Kernel, out: Annotated[sd.InOut[u32], "a, b, c"]) -> None:
        with k.each(x, y, z) as (i, j, m):
            out[i, j, m] += 1 + i * 10000 + j * 100 + m

    return lambda device: counted(np.zeros((x, y, z), np.uint32), device=device)


@pytest.mark.parametrize(("rows", "columns"), [(40, 40), (1, 1), (4, 16), (5, 17), (33, 3), (3, 65)])
def test_planes(rows: int, columns: int, executor_name: str) -> None:
    expected = 1 + np.arange(rows)[:, None] * 1000 + np.arange(columns)
    np.testing.assert_array_equal(planes(rows, columns)(executor_name), expected)


@pytest.mark.parametrize("shape", [(5, 7, 9), (1, 1, 1), (2, 2, 4), (3, 3, 5)])
def test_solids(shape: tuple[int, int, int], executor_name: str) -> None:
    i, j, m = np.indices(shape)
    np.testing.assert_array_equal(solids(*shape)(executor_name), 1 + i * 10000 + j * 100 + m)
