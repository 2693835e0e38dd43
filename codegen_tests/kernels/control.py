"""Branches, loops and jumps."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel
def collatz(k: sd.Kernel, start: Annotated[sd.In[u32], "n"], steps: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(start.n) as i:
        value = k.var(start[i])
        count = k.var(u32(0))
        with k.loop():
            k.break_if((value.value <= 1) | (count.value >= 500))
            count += 1
            with k.if_(value.value % 2 == 0):
                value.value = value.value // 2
                k.continue_()
            value.value = 3 * value.value + 1
        steps[i] = count.value


@sd.kernel
def grades(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], grade: Annotated[sd.Out[i32], "n"]) -> None:
    with k.each(x.n) as i:
        value = x[i]
        k.return_if(value < 0)
        with k.if_(value < 1):
            grade[i] = 1
        with k.elif_(value < 2):
            grade[i] = 2
        with k.elif_((value >= 8) & (value != 9)):
            with k.if_(value > 100):
                grade[i] = 100
            with k.else_():
                grade[i] = 8
        with k.else_():
            grade[i] = 3


@sd.kernel
def countdown(k: sd.Kernel, x: Annotated[sd.In[i32], "n"], y: Annotated[sd.Out[i32], "n"]) -> None:
    """Loops down, by a step of the kernel, inside another; continue and break out of each."""
    with k.each(x.n) as i:
        total = k.var(i32(0))
        for j in k.range(x[i], -3, -2):
            k.continue_if(j == 1)
            for m in k.range(i32(0), j):
                k.break_if(m > 3)
                total += m
            total -= j
        y[i] = total.value


@sd.kernel
def first_match(
    k: sd.Kernel, x: Annotated[sd.In[u32], "rows, cols"], key: sd.Param[u32], found: Annotated[sd.Out[u32], "rows"]
) -> None:
    """Leaves the kernel from inside a loop, and breaks without a condition of its own."""
    with k.each(x.rows) as row:
        found[row] = 0xFFFFFFFF
        for c in k.range(x.cols):
            with k.if_(x[row, c] == key):
                found[row] = c
                k.return_()
            with k.if_(x[row, c] == 0):
                k.break_()
        found[row] = x.cols


@sd.kernel
def logic(k: sd.Kernel, x: Annotated[sd.In[i32], "n"], on: sd.Param[sd.bool_], y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i:
        positive = x[i] > 0
        small = x[i] < 10
        state = k.var(positive & small)
        state |= on & ~positive
        y[i] = state.value.u32 + (positive ^ small).u32 * 2 + (on != small).u32 * 4 + (positive == on).u32 * 8


@sd.kernel
def unrolled(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], taps: sd.Static[int]) -> None:
    """Python's own loop and if run while tracing: what is left is straight code."""
    with k.each(x.n) as i:
        total = k.var(f32(0))
        for tap in range(taps):
            weight = (tap + 1) / 4
            if tap == 0:
                total += weight * x[i]
            else:
                with k.if_(i + tap < x.n):
                    total += weight * x[i + tap]
        y[i] = total.value
