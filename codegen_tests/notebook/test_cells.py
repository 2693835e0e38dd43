"""Where there is no file: cells run twice, a running event loop, `python -c`, a prompt, and what a notebook shows."""

from __future__ import annotations

import asyncio
import linecache
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd

CELL = "<ipython-input-1-abcdef>"
HEAD = """\
from typing import Annotated
import shaderdsl as sd
from shaderdsl import f32

"""
DOUBLE = (
    HEAD
    + """\
@sd.kernel
def double(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        twice = x[i] * 2
        y[i] = twice
"""
)
TRIPLE = DOUBLE.replace("twice", "thrice").replace("* 2", "* 3")
WRONG = DOUBLE.replace("x[i] * 2", "x[i] * i")
REBOUND = DOUBLE.replace(
    "        y[i] = twice", "        with k.if_(x[i] > 0):\n            twice = x[i]\n        y[i] = twice"
)


def run_cell(source: str, names: dict[str, Any], name: str = CELL) -> None:
    """What IPython does: source into linecache without a time stamp, then compile and exec."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), names)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    linecache.cache.pop(CELL, None)


X = np.arange(5, dtype=np.float32)


def test_a_cell_has_names_and_runs(executor_name: str) -> None:
    names: dict[str, Any] = {}
    run_cell(DOUBLE, names)
    assert "let twice = x[i] * 2.0f;" in names["double"].wgsl()
    np.testing.assert_array_equal(names["double"](X, device=executor_name), X * 2)


def test_a_cell_run_twice_uses_its_newest_source(executor_name: str) -> None:
    names: dict[str, Any] = {}
    for source, word, factor in [(DOUBLE, "twice", 2), (TRIPLE, "thrice", 3), (DOUBLE, "twice", 2)]:
        run_cell(source, names)
        assert f"let {word} = x[i] * {factor}.0f;" in names["double"].wgsl()
        np.testing.assert_array_equal(names["double"](X, device=executor_name), X * factor)


def test_an_old_kernel_of_an_overwritten_cell_still_runs(executor_name: str) -> None:
    names: dict[str, Any] = {}
    run_cell(DOUBLE, names)
    old = names["double"]
    run_cell(TRIPLE, names)
    np.testing.assert_array_equal(old(X, device=executor_name), X * 2)
    np.testing.assert_array_equal(names["double"](X, device=executor_name), X * 3)


def test_cells_that_shift_lines_are_not_mixed_up() -> None:
    names: dict[str, Any] = {}
    run_cell(DOUBLE, names)
    names["double"].wgsl()
    run_cell("# a comment\n\n" + TRIPLE, names)
    assert "let thrice = " in names["double"].wgsl()


def test_an_error_in_a_cell_shows_its_line() -> None:
    names: dict[str, Any] = {}
    run_cell(WRONG, names)
    with pytest.raises(sd.KernelTypeError) as caught:
        names["double"].wgsl()
    assert str(caught.value).splitlines()[:3] == [
        f"{CELL}:8:17: error: cannot multiply f32 by u32 [type]",
        "    8 |         twice = x[i] * i",
        "      |                 ^^^^^^^^ f32 * u32",
    ]


def test_python_lies_are_found_in_cells() -> None:
    names: dict[str, Any] = {}
    run_cell(REBOUND, names)
    with pytest.raises(sd.ScopeError):
        names["double"].wgsl()


@pytest.mark.parametrize("turns", [1, 3])
def test_inside_a_running_event_loop(executor_name: str, turns: int) -> None:
    names: dict[str, Any] = {}
    run_cell(DOUBLE, names)

    async def cell() -> list[np.ndarray]:
        results: list[np.ndarray] = []
        for _ in range(turns):
            resident = sd.array(X, device=executor_name)
            results.append(names["double"](resident).numpy())
            await asyncio.sleep(0)
        return results

    for result in asyncio.run(cell()):
        np.testing.assert_array_equal(result, X * 2)


def test_many_cells_of_one_loop_at_once(device_name: str) -> None:
    names: dict[str, Any] = {}
    run_cell(DOUBLE, names)

    async def cell(n: int) -> np.ndarray:
        await asyncio.sleep(0)
        return names["double"](X[:n], device=device_name)

    async def cells() -> list[np.ndarray]:
        return await asyncio.gather(*(cell(n) for n in range(6)))

    for n, result in enumerate(asyncio.run(cells())):
        np.testing.assert_array_equal(result, X[:n] * 2)


def test_a_prompt_without_source(executor_name: str) -> None:
    """As at `>>>` before Python 3.13: no text to read names from, the kernel is right all the same."""
    names: dict[str, Any] = {}
    exec(compile(DOUBLE, "<stdin>", "exec"), names)
    assert "twice" not in names["double"].wgsl()
    assert "] * 2.0f;" in names["double"].wgsl()
    np.testing.assert_array_equal(names["double"](X, device=executor_name), X * 2)


def test_an_error_at_a_prompt_names_function_and_line() -> None:
    names: dict[str, Any] = {}
    exec(compile(WRONG, "<stdin>", "exec"), names)
    with pytest.raises(sd.KernelTypeError) as caught:
        names["double"].wgsl()
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("<stdin>:8:")
    assert lines[0].endswith("error: cannot multiply f32 by u32 [type]")
    assert lines[1] == "  in double, line 8"


def run_text(text: str, *, stdin: bool = False) -> subprocess.CompletedProcess[str]:
    """A fresh Python, by `-c` or reading its standard input."""
    command = [sys.executable] if stdin else [sys.executable, "-c", text]
    return subprocess.run(
        command, input=text if stdin else None, capture_output=True, text=True, timeout=120, check=False, env=os.environ
    )


USE = "\nimport numpy as np\nprint(double(np.arange(3, dtype=np.float32), device='interpreter').tolist())\n"


@pytest.mark.parametrize("stdin", [False, True])
def test_python_without_a_file(stdin: bool) -> None:
    done = run_text(DOUBLE + USE, stdin=stdin)
    assert done.stderr == ""
    assert done.stdout == "[0.0, 2.0, 4.0]\n"


@pytest.mark.parametrize("stdin", [False, True])
def test_errors_of_python_without_a_file(stdin: bool) -> None:
    done = run_text(WRONG + USE, stdin=stdin)
    assert done.returncode == 1
    name = "<stdin>" if stdin else "<string>"
    assert f"KernelTypeError: {name}:8:" in done.stderr
    assert "error: cannot multiply f32 by u32 [type]" in done.stderr
    assert "in double, line 8" in done.stderr or "twice = x[i] * i" in done.stderr


def test_a_launch_error_without_source_names_the_line() -> None:
    done = run_text(DOUBLE + "\ndouble(5, device='interpreter')\n")
    assert done.returncode == 1
    assert "<string>:11:" in done.stderr
    assert "in <module>, line 11" in done.stderr or "double(5, device='interpreter')" in done.stderr


def test_a_notebook_shows_the_wgsl() -> None:
    names: dict[str, Any] = {}
    run_cell(DOUBLE, names)
    kernel = names["double"]
    assert kernel._repr_markdown_() == f"```rust\n{kernel.wgsl()}```"
    assert repr(kernel) == "<kernel double, workgroup size (64, 1, 1)>"


def test_a_kernel_that_needs_static_arguments_shows_itself() -> None:
    names: dict[str, Any] = {}
    run_cell(DOUBLE.replace('"n"]) -> None', '"n"], times: sd.Static[int]) -> None'), names)
    assert names["double"]._repr_markdown_() == "`<kernel double, workgroup size (64, 1, 1)>`"


def test_a_wrong_kernel_shows_its_error_when_displayed() -> None:
    names: dict[str, Any] = {}
    run_cell(WRONG, names)
    with pytest.raises(sd.KernelTypeError):
        names["double"]._repr_markdown_()
