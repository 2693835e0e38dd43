"""Faults that generated programs have found, each as the smallest kernel that shows it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f32, i32, u32
from shaderdsl.runtime.validate import tint_refusal

EXECUTORS = ("interpreter", "wgpu", "dawn")


@sd.kernel(workgroup_size=4)
def shifted(k: sd.Kernel, y: Annotated[sd.Out[sd.vec2i], "4"]) -> None:
    with k.each(4) as i:
        v = k.var(sd.vec2i(i.i32, i32(5)))
        v <<= 3
        v |= 1
        y[i] = v.value


@sd.kernel(workgroup_size=4)
def chained(k: sd.Kernel, x: Annotated[sd.In[i32], "n"], y: Annotated[sd.Out[i32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] > 5):
            y[i] = 1
        with k.elif_(sd.mod_floor(x[i], 3) == 2):
            y[i] = 2
        with k.else_():
            y[i] = 3


@sd.kernel(workgroup_size=4)
def untouched(k: sd.Kernel, bins: Annotated[sd.InOut[sd.Atomic[u32]], "m"], y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(4) as i:
        y[i] = i + bins.m


@sd.function
def negative_zero(x: f32) -> f32:
    return sd.select(x, f32(-0.0), x == 0)


@sd.kernel(workgroup_size=4)
def signed(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = sd.bitcast(negative_zero(x[i]), u32)


@pytest.mark.parametrize("device", EXECUTORS)
def test_a_vector_variable_takes_numbers_in_its_updates(device: str) -> None:
    assert shifted(device=device).tolist() == [[1, 41], [9, 41], [17, 41], [25, 41]]


@pytest.mark.parametrize("device", EXECUTORS)
def test_a_call_may_stand_in_the_condition_of_an_elif(device: str) -> None:
    x = np.array([9, -1, 2, 0, 8], np.int32)
    assert chained(x, device=device).tolist() == [1, 2, 2, 3, 1]


def test_atomics_are_read_write_even_where_nothing_touches_them() -> None:
    assert tint_refusal(untouched.wgsl(dialect="tint"), ["untouched"]) is None
    assert "var<storage, read_write> bins" in untouched.wgsl()


@pytest.mark.parametrize("device", EXECUTORS)
def test_functions_see_the_run_time_zero(device: str) -> None:
    assert signed(np.array([0.0, 1.0], np.float32), device=device).tolist() == [0x80000000, 0x3F800000]
