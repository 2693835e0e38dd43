"""Functions that Python makes while a kernel is traced, and functions that call one another many times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


def plus(number: int) -> Callable[[f32], f32]:
    @sd.function
    def shifted(x: f32) -> f32:
        return x + float(number)

    return shifted


@sd.kernel
def many(k: sd.Kernel, y: Annotated[sd.Out[f32], "1"]) -> None:
    with k.each(1) as i:
        total = f32(0)
        for number in range(40):
            total = plus(number)(total)
        y[i] = total


def test_functions_that_python_has_dropped_are_told_apart_from_new_ones() -> None:
    assert many(device="interpreter")[0] == sum(range(40))


def doubled(inner: Callable[[f32], f32]) -> Callable[[f32], f32]:
    @sd.function
    def outer(x: f32) -> f32:
        return inner(x) + inner(x)

    return outer


@sd.function
def meet(k: sd.Kernel, x: f32) -> f32:
    k.barrier()
    return x


def test_functions_that_call_one_another_twice_are_lowered_in_no_time() -> None:
    deep: Callable[[f32], f32] = meet
    for _ in range(24):
        deep = doubled(deep)

    @sd.kernel(workgroup_size=1)
    def tower(k: sd.Kernel, y: Annotated[sd.Out[f32], "1"]) -> None:
        with k.each_group(1) as i:
            y[i] = deep(f32(1))

    assert tower.wgsl().count("\nfn ") == 26
