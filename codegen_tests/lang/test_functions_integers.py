"""Division by name: what Python's and WGSL's divisions give, for every sign, zero divisors and the least integer, on every executor."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

import shaderdsl as sd
from shaderdsl import f32, i32, u32

EDGES = [-(2**31), -(2**31) + 1, -8, -7, -3, -1, 0, 1, 3, 7, 8, 2**31 - 1]
LEFT = np.repeat(np.array(EDGES, np.int32), len(EDGES))
RIGHT = np.tile(np.array(EDGES, np.int32), len(EDGES))


@sd.kernel
def signed(
    k: sd.Kernel,
    x: Annotated[sd.In[i32], "n"],
    y: Annotated[sd.In[i32], "n"],
    div_floor: Annotated[sd.Out[i32], "n"],
    mod_floor: Annotated[sd.Out[i32], "n"],
    div_trunc: Annotated[sd.Out[i32], "n"],
    mod_trunc: Annotated[sd.Out[i32], "n"],
) -> None:
    with k.each(x.n) as i:
        div_floor[i] = sd.div_floor(x[i], y[i])
        mod_floor[i] = sd.mod_floor(x[i], y[i])
        div_trunc[i] = sd.div_trunc(x[i], y[i])
        mod_trunc[i] = sd.mod_trunc(x[i], y[i])


def floored(x: int, y: int) -> tuple[int, int]:
    """Quotient and remainder rounded down, by WGSL's rules for zero and overflow."""
    if y == 0:
        return x, 0
    return (x, 0) if (x, y) == (-(2**31), -1) else divmod(x, y)


def truncated(x: int, y: int) -> tuple[int, int]:
    quotient, remainder = floored(abs(x), abs(y)) if y else (x, 0)
    if y == 0 or (x, y) == (-(2**31), -1):
        return x, 0
    return (quotient if (x < 0) == (y < 0) else -quotient), (remainder if x >= 0 else -remainder)


def pairs(results: list[tuple[int, int]], position: int) -> list[int]:
    return [pair[position] for pair in results]


def test_both_divisions_of_i32(executor_name: str) -> None:
    result = signed(LEFT, RIGHT, device=executor_name)
    down = [floored(x, y) for x, y in zip(LEFT.tolist(), RIGHT.tolist())]
    cut = [truncated(x, y) for x, y in zip(LEFT.tolist(), RIGHT.tolist())]
    assert result["div_floor"].tolist() == pairs(down, 0)
    assert result["mod_floor"].tolist() == pairs(down, 1)
    assert result["div_trunc"].tolist() == pairs(cut, 0)
    assert result["mod_trunc"].tolist() == pairs(cut, 1)


def test_the_divisions_differ_where_signs_do() -> None:
    assert floored(-7, 3) == (-3, 2)
    assert truncated(-7, 3) == (-2, -1)


@sd.kernel
def vector_floor(k: sd.Kernel, x: Annotated[sd.In[i32], "n"], y: Annotated[sd.Out[i32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = sd.div_floor(sd.vec2i(x[i], 0), 3).x * 10 + sd.mod_floor(sd.vec2i(0, x[i]), sd.vec2i(1, 3)).y


def test_vectors_of_i32_divide_componentwise(executor_name: str) -> None:
    x = np.arange(-9, 10, dtype=np.int32)
    assert vector_floor(x, device=executor_name).tolist() == [v // 3 * 10 + v % 3 for v in x.tolist()]


@sd.kernel
def unsigned(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = (
            sd.div_floor(x[i], 3) * 1000
            + sd.mod_floor(x[i], 3) * 100
            + sd.div_trunc(7, x[i] + 1) * 10
            + sd.mod_trunc(x[i], 3)
        )


def test_u32_has_one_division_and_no_helper() -> None:
    x = np.arange(9, dtype=np.uint32)
    want = [v // 3 * 1000 + v % 3 * 100 + 7 // (v + 1) * 10 + v % 3 for v in x.tolist()]
    assert unsigned(x, device="interpreter").tolist() == want
    assert unsigned.wgsl().count("fn ") == 1


@sd.kernel
def floats(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], down: Annotated[sd.Out[f32], "n"], cut: Annotated[sd.Out[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        down[i] = sd.mod_floor(x[i], 3)
        cut[i] = sd.mod_trunc(x[i], 3)


def test_remainders_of_floats(executor_name: str) -> None:
    x: npt.NDArray[np.float32] = np.array([-7.5, -3, -0.25, 0, 0.25, 2.5, 7.5], np.float32)
    result = floats(x, device=executor_name)
    assert result["down"].tolist() == np.mod(x, 3).tolist()
    assert result["cut"].tolist() == np.fmod(x, 3).tolist()
