"""dead_code: what nobody reads goes, what anybody could notice stays."""
# pyright: reportUnusedVariable=false
# unused values are the subject

from __future__ import annotations

from typing import Annotated

import numpy as np

import shaderdsl as sd
from codegen_tests.passes.running import body_text, functions_text, results, same_bits
from shaderdsl import f32, u32
from shaderdsl.passes.dead_code import dead_code
from shaderdsl.passes.functions import on_blocks
from shaderdsl.passes.pipeline import run


@sd.function
def plain(x: f32) -> f32:
    unused = x * 3  # noqa: F841
    return x + 1


@sd.function
def meeting(k: sd.Kernel) -> f32:
    k.barrier()
    return f32(1)


@sd.kernel(workgroup_size=4)
def cluttered(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    c: Annotated[sd.InOut[sd.Atomic[u32]], "n"],
    y: Annotated[sd.Out[f32], "n"],
) -> None:
    tile = k.shared(f32, 4)
    with k.each_group(x.n) as i:
        first = x[i]
        chain = sd.sqrt(first * 2) + 1  # noqa: F841
        c[i].load()
        c[i].add(1)
        seen = c[i].sub(1)  # noqa: F841
        c[i].compare_exchange_weak(5, 6)
        plain(first)
        meeting()
        with k.if_(first > 1):
            inner = first * 4  # noqa: F841
        with k.if_(first > 2):
            also = first * 4  # noqa: F841
        with k.else_():
            y[i] = first
        for j in k.range(3):
            square = j * j  # noqa: F841
        k.workgroup_uniform_load(tile.at(0))
        k.group_sum(first)
        tile[0] = plain(f32(2))


CLUTTERED = """\
  %0: u32 = input.workgroup_id.y * input.num_workgroups.x
  %i: u32 = input.workgroup_id.x + %0
  %1: bool = %i >= param.n
  if %1
    return
  %first: f32 = @x[%i]
  atomicAdd(@c[%i], 1u)
  atomicSub(@c[%i], 1u)
  atomicCompareExchangeWeak(@c[%i], 5u, 6u)
  $meeting()
  %2: bool = %first > 2.0f
  if %2
  else
    @y[%i] = %first
  for %j: u32 in range(0u, 3u, 1u)
  %3: f32 = workgroupUniformLoad(@tile[0u])
  %4: f32 = group_sum(%first)
  %5: f32 = $plain(2.0f)
  @tile[0u] = %5
"""
FUNCTIONS = """\
function $plain(%x: f32) -> f32
  %0: f32 = %x + 1.0f
  return %0
function $meeting() -> f32 impure
  workgroupBarrier()
  return 1.0f
"""


def test_before_and_after() -> None:
    after = dead_code(cluttered.trace())
    assert body_text(after) == CLUTTERED
    assert functions_text(after) == FUNCTIONS


def test_the_meaning_is_the_same() -> None:
    given = {"x": np.array([0.5, 1.5, 2.5], np.float32), "c": np.array([5, 1, 2], np.uint32)}
    before = results(cluttered, cluttered.trace(), given)
    assert same_bits(before, results(cluttered, run(cluttered.trace(), [dead_code]), given))
    assert before["y"].tolist() == [0.5, 1.5, 0.0]
    assert before["c"].tolist() == [6, 1, 2]


def test_a_pass_that_drops_too_much_is_found() -> None:
    """The law itself can fail: here every block is emptied."""
    given = {"x": np.array([0.5], np.float32), "c": np.array([5], np.uint32)}
    emptied = on_blocks(cluttered.trace(), lambda block: block[:4])
    assert not same_bits(results(cluttered, cluttered.trace(), given), results(cluttered, emptied, given))


@sd.kernel(workgroup_size=1)
def nested(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] > 0), k.if_(x[i] > 1), k.if_(x[i] > 2):
            lost = x[i] * 2  # noqa: F841
        with k.loop():
            gone = x[i]  # noqa: F841
            k.break_if(x[i] > -1)
        y[i] = 1


NESTED = """\
  %0: u32 = input.workgroup_id.y * input.num_workgroups.x
  %1: u32 = input.workgroup_id.x + %0
  %i: u32 = %1
  %2: bool = %i >= param.n
  if %2
    return
  loop
    %3: f32 = @x[%i]
    %4: bool = %3 > -1.0f
    if %4
      break
  @y[%i] = 1.0f
"""


def test_branches_that_become_empty_go_and_loops_stay() -> None:
    """With the branch go the reads that only its condition used; a loop's end may depend on its body."""
    after = run(nested.trace(), [dead_code])
    assert body_text(after) == NESTED


def test_a_second_run_changes_nothing() -> None:
    for program in (cluttered, nested):
        once = dead_code(program.trace())
        assert body_text(dead_code(once)) == body_text(once)
