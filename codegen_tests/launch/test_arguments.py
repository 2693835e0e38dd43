"""Arguments of a launch: parameters by the rule of Python numbers, static ones apart by type and value, elements of every type."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel
def scalars(
    k: sd.Kernel,
    out: Annotated[sd.Out[u32], "4"],
    a: sd.Param[f32],
    b: sd.Param[i32],
    c: sd.Param[u32],
    on: sd.Param[sd.bool_],
) -> None:
    with k.each(1) as _:
        out[0] = sd.bitcast(a, u32)
        out[1] = sd.bitcast(b, u32)
        out[2] = c
        out[3] = on.u32


def bits(value: float) -> int:
    return int(np.array([value], np.float32).view(np.uint32)[0])


FLOATS: list[Any] = [
    0.0,
    -0.0,
    1,
    -3,
    16777216,
    2**100,
    0.1,
    1e-45,
    -1.1754942e-38,
    3.4028235e38,
    math.inf,
    -math.inf,
    math.nan,
    np.float32(0.1),
    np.float64(0.1),
    np.float16(0.5),
    np.int64(7),
    np.uint8(255),
]


@pytest.mark.parametrize("value", FLOATS, ids=repr)
def test_numbers_arrive_as_f32(executor_name: str, value: Any) -> None:
    word = scalars(value, 0, 0, False, device=executor_name)[0]
    assert int(word) == bits(value)


@pytest.mark.parametrize("value", [-(2**31), -1, 0, 2**31 - 1, np.int8(-5), np.int64(2**31 - 1)], ids=repr)
def test_numbers_arrive_as_i32(executor_name: str, value: Any) -> None:
    assert int(scalars(0, value, 0, False, device=executor_name)[1]) == int(value) % 2**32


@pytest.mark.parametrize("value", [0, 1, 2**32 - 1, np.uint64(2**32 - 1)], ids=repr)
@pytest.mark.parametrize("on", [True, False, np.True_], ids=repr)
def test_numbers_arrive_as_u32_and_bool(executor_name: str, value: Any, on: Any) -> None:
    assert scalars(0, 0, value, on, device=executor_name)[2:].tolist() == [int(value), int(on)]


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, 16777217, "a is 16777217, which f32 does not hold exactly"),
        (0, 2**200, f"a is {2**200}, which is too large for f32"),
        (0, 10**400, "too large for f32"),
        (0, 1e39, r"a is 1e\+39, which is too large for f32"),
        (0, True, "a is f32, not True"),
        (0, "1", "a is f32, not '1'"),
        (0, None, "a is f32, not None"),
        (1, 2**31, "b is 2147483648, which does not fit i32"),
        (1, 1.0, "b is i32, not the float 1.0"),
        (1, np.float32(1), "b is i32, not the float 1.0"),
        (1, math.nan, "b is i32, not the float nan"),
        (2, -1, "c is -1, which does not fit u32"),
        (2, np.int64(2**32), "c is 4294967296, which does not fit u32"),
        (3, 1, "on is a bool, not 1"),
        (3, np.uint8(1), "on is a bool, not 1"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(place: int, value: Any, message: str) -> None:
    arguments: list[Any] = [0, 0, 0, False]
    arguments[place] = value
    with pytest.raises(sd.LaunchError, match=message) as caught:
        scalars(*arguments, device="interpreter")
    assert caught.value.hints
    assert caught.value.loc is not None
    assert caught.value.loc.span().path == __file__


@sd.kernel
def described(k: sd.Kernel, out: Annotated[sd.Out[f32], "1"], what: sd.Static[Any]) -> None:
    with k.each(1) as _:
        out[0] = f32(KINDS[repr(what)])


KINDS = {
    text: float(number)
    for number, text in enumerate(
        ["1", "True", "1.0", "0.0", "-0.0", "(1,)", "(True,)", "(1.0,)", "((-0.0,),)", "((0.0,),)", "nan", "'1'"]
    )
}
STATICS: list[Any] = [1, True, 1.0, 0.0, -0.0, (1,), (True,), (1.0,), ((-0.0,),), ((0.0,),), math.nan, "1"]


def test_static_values_that_compare_equal_are_told_apart() -> None:
    for value in STATICS * 2:
        assert float(described(value, device="interpreter")[0]) == KINDS[repr(value)]


def test_a_static_value_is_traced_once() -> None:
    assert described.trace(what=3 - 2) is described.trace(what=1)
    assert described.trace(what=float("nan")) is described.trace(what=math.nan)
    assert described.trace(what=1) is not described.trace(what=True)


@sd.struct
class Pair:
    where: sd.vec3f
    turn: sd.mat3x3f
    counts: Annotated[sd.Array[u32], 3]


@sd.kernel
def elements(
    k: sd.Kernel,
    v: Annotated[sd.In[sd.vec3f], "n"],
    m: Annotated[sd.In[sd.mat2x3f], "n"],
    a: Annotated[sd.In[Annotated[sd.Array[i32], 5]], "n"],
    p: Annotated[sd.InOut[Pair], "n"],
    w: Annotated[sd.Out[sd.vec3f], "n"],
    t: Annotated[sd.Out[sd.mat3x2f], "n"],
    b: Annotated[sd.Out[Annotated[sd.Array[sd.vec3u], 2]], "n"],
) -> None:
    with k.each(v.n) as i:
        w[i] = v[i] * 2
        t[i] = sd.transpose(m[i])
        b.at(i)[1] = sd.vec3u(i, a[i][4].u32, p[i].counts[2])
        p.at(i).where.value = p[i].turn * v[i]
        p.at(i).counts[1] = i + 5


def same_records(got: np.ndarray, expected: np.ndarray) -> None:
    """Every field, at any depth; padding may hold anything."""
    assert got.dtype == expected.dtype
    for name in got.dtype.names or ():
        if got.dtype[name].base.names:
            same_records(got[name], expected[name])
        else:
            np.testing.assert_array_equal(got[name], expected[name])


def test_a_field_that_differs_is_seen() -> None:
    one, other = np.zeros(2, sd.dtype(Grid)), np.zeros(2, sd.dtype(Grid))
    same_records(one, other)
    other["rows"]["tag"][1, 2, 1] = 1
    with pytest.raises(AssertionError):
        same_records(one, other)


def test_elements_with_padding_arrive_and_return(executor_name: str) -> None:
    n = 9
    rng = np.random.default_rng(3)
    v = rng.integers(-9, 9, (n, 3)).astype(np.float32)
    m = rng.integers(-9, 9, (n, 2, 3)).astype(np.float32)
    a = rng.integers(0, 9, (n, 5)).astype(np.int32)
    p = np.zeros(n, sd.dtype(Pair))
    p["turn"][..., :3] = rng.integers(-9, 9, (n, 3, 3))
    p["counts"] = 7
    before = np.zeros_like(p)
    before[...] = p
    result = elements(v, m, a, p, device=executor_name)
    np.testing.assert_array_equal(result["w"], v * 2)
    np.testing.assert_array_equal(result["t"], m.transpose(0, 2, 1))
    b = np.zeros((n, 2, 3), np.uint32)
    b[:, 1] = np.stack([np.arange(n), a[:, 4], np.full(n, 7)], axis=1)
    np.testing.assert_array_equal(result["b"], b)
    np.testing.assert_array_equal(result["p"]["where"], np.einsum("ncr,nc->nr", before["turn"][..., :3], v))
    np.testing.assert_array_equal(result["p"]["counts"][:, 1], np.arange(n) + 5)
    same_records(p, before)


@sd.struct
class Cell:
    low: sd.vec3f
    tag: u32


@sd.struct
class Grid:
    cells: Annotated[sd.Array[Cell], 2]
    rows: Annotated[sd.Array[Annotated[sd.Array[Cell], 2]], 3]


@sd.kernel
def nested(
    k: sd.Kernel, g: Annotated[sd.InOut[Grid], "n"], c: Annotated[sd.InOut[Annotated[sd.Array[Cell], 2]], "n"]
) -> None:
    with k.each(g.n) as i:
        g.at(i).cells.at(1).tag.value = g[i].rows[2][1].tag + 1
        g.at(i).rows.at(i % 3).at(0).low.value = g[i].cells[0].low
        c.at(i).at(1).tag.value = c[i][0].tag * 2


def test_structures_inside_arrays(executor_name: str) -> None:
    n = 4
    g, c = np.zeros(n, sd.dtype(Grid)), np.zeros((n, 2), sd.dtype(Cell))
    g["rows"]["tag"] = np.arange(n * 6).reshape(n, 3, 2)
    g["cells"]["low"] = [1, 2, 3]
    c["tag"] = np.arange(2 * n).reshape(n, 2)
    result = nested(g, c, device=executor_name)
    expected, cells = g.copy(), c.copy()
    expected["cells"]["tag"][:, 1] = g["rows"]["tag"][:, 2, 1] + 1
    for i in range(n):
        expected["rows"]["low"][i, i % 3, 0] = [1, 2, 3]
    cells["tag"][:, 1] = c["tag"][:, 0] * 2
    same_records(result["g"], expected)
    same_records(result["c"], cells)
