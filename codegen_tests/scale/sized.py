"""Kernels of any size, made as source text so that names and places are looked up as for a user's file."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from typing import Any

from shaderdsl.program import KernelProgram

HEAD = """
from typing import Annotated
import shaderdsl as sd
from shaderdsl import f32

@sd.kernel(workgroup_size=64)
def sized(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
"""
counter = itertools.count()


def program_of(body: list[str]) -> KernelProgram:
    """A kernel over `i`, `x`, `y` with these lines inside its domain."""
    source = HEAD + "".join(f"        {line}\n" for line in body)
    path = f"<sized kernel {next(counter)}>"
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    scope: dict[str, Any] = {}
    exec(compile(source, path, "exec"), scope)
    return scope["sized"]


def statements(count: int) -> KernelProgram:
    """`count` statements: named values and stores, and in every fifty a branch and a loop (drivers are quadratic in those)."""
    lines = ["v0 = x[i]"]
    for n in range(1, count, 2):
        lines += [f"v{n} = v{max(n - 2, 0)} * 0.5 + x[i]"]
        match n % 50:
            case 1:
                lines += [f"with k.if_(v{n} > {n % 7}):", f"    y[i] = v{n} - {n % 3}"]
            case 25:
                lines += ["for j in k.range(2):", f"    y[i] = y[i] + v{n} * j.f32"]
            case _:
                lines += [f"y[i] = y[i] + v{n}"]
    return program_of(lines)


def long_sum(terms: int) -> KernelProgram:
    """One sum of `terms` loads, added in a static loop."""
    return program_of(
        ["total = x[i]", f"for n in range({terms - 1}):", "    total = total + x[i] * 0.5", "y[i] = total"]
    )


def long_chain(operations: int) -> KernelProgram:
    """`operations` dependent operations in a static loop."""
    return program_of(["v = x[i]", f"for n in range({operations // 2}):", "    v = v * 0.5 + 1.0", "y[i] = v"])


SHAPES: dict[str, Callable[[int], KernelProgram]] = {"statements": statements, "sum": long_sum, "chain": long_chain}
