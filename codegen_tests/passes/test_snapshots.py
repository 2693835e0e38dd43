"""materialise_snapshots: a Let moves into its one reader where that changes nothing, and never past what may change it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.passes.running import body_text, functions_text, results, same_bits
from shaderdsl import f32, u32
from shaderdsl.ir.stmt import Let
from shaderdsl.ir.walk import statements
from shaderdsl.passes.pipeline import run
from shaderdsl.passes.snapshots import DEEPEST, Window, materialise_snapshots


@sd.kernel(workgroup_size=1)
def inlined(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 2 + 1


BEFORE = """\
  %0: u32 = input.workgroup_id.y * input.num_workgroups.x
  %1: u32 = input.workgroup_id.x + %0
  %i: u32 = %1
  %2: bool = %i >= param.n
  if %2
    return
  %3: f32 = @x[%i]
  %4: f32 = %3 * 2.0f
  %5: f32 = %4 + 1.0f
  @y[%i] = %5
"""
AFTER = """\
  %i: u32 = input.workgroup_id.x + (input.workgroup_id.y * input.num_workgroups.x)
  if %i >= param.n
    return
  @y[%i] = (@x[%i] * 2.0f) + 1.0f
"""


def test_one_reader_takes_the_value() -> None:
    assert body_text(inlined.trace()) == BEFORE
    assert body_text(materialise_snapshots(inlined.trace())) == AFTER


@sd.function
def noted(k: sd.Kernel, x: f32) -> f32:
    """Pure: variables of its own only."""
    v = k.var(x)
    v += 1
    return v.value


@sd.kernel(workgroup_size=1)
def held(
    k: sd.Kernel,
    x: Annotated[sd.InOut[f32], "n"],
    c: Annotated[sd.InOut[sd.Atomic[u32]], "n"],
    log: Annotated[sd.InOut[f32], "n, 16"],
) -> None:
    """In each numbered part a read stands before something that may change it, and its use after."""
    tile = k.shared(f32, 4)
    own = k.private(f32, 2)
    with k.each_group(x.n) as i:
        a0 = [x[i]]
        x[i] = 5  # 0: past a store to the same buffer
        log[i, 0] = a0[0]

        a1 = [tile[0]]
        tile[0] = 3  # 1: past a store to shared memory
        log[i, 1] = a1[0]

        a2 = [x[i]]
        k.storage_barrier()  # 2: past a barrier, after which others' writes are seen
        log[i, 2] = a2[0]

        a3 = [tile[0]]
        k.barrier()  # 3: the same for shared memory
        log[i, 3] = a3[0]

        v = k.var(f32(1))
        a4 = [v.value]
        v.value = 9  # 4: past a store to a variable
        log[i, 4] = a4[0]

        a5 = [v.value]
        with k.if_(x[i] > 0):  # 5: past a branch that writes
            v += 1
        log[i, 5] = a5[0]

        a6 = [v.value]
        for _ in k.range(u32(2)):  # 6: past a loop that writes
            v += 1
        log[i, 6] = a6[0]

        a7 = [own[1]]
        own[i % 2] = v.value  # 7: past a store to another element, which may be the same
        log[i, 7] = a7[0]

        a8 = [c[i].load()]
        c[i].add(2)  # 8: an atomic load is no value that moves
        log[i, 8] = a8[0].f32

        a9 = [v.value]
        with k.loop():  # 9: into a loop that changes it
            k.break_if(v.value > 20)
            v += a9[0]
        log[i, 9] = v.value

        a10 = [k.workgroup_uniform_load(tile.at(0)) + tile[1]]
        k.group_sum(v.value)  # 10: past a collective, which holds barriers
        log[i, 10] = a10[0]


HELD = """\
  %i: u32 = input.workgroup_id.x + (input.workgroup_id.y * input.num_workgroups.x)
  if %i >= param.n
    return
  %0: f32 = @x[%i]
  @x[%i] = 5.0f
  @log[%i * 16u] = %0
  %1: f32 = @tile[0u]
  @tile[0u] = 3.0f
  @log[(%i * 16u) + 1u] = %1
  %2: f32 = @x[%i]
  storageBarrier()
  @log[(%i * 16u) + 2u] = %2
  %3: f32 = @tile[0u]
  workgroupBarrier()
  @log[(%i * 16u) + 3u] = %3
  var @v: f32 = 1.0f
  %4: f32 = @v
  @v = 9.0f
  @log[(%i * 16u) + 4u] = %4
  %5: f32 = @v
  if @x[%i] > 0.0f
    @v = @v + 1.0f
  @log[(%i * 16u) + 5u] = %5
  %6: f32 = @v
  for %_: u32 in range(0u, 2u, 1u)
    @v = @v + 1.0f
  @log[(%i * 16u) + 6u] = %6
  %7: f32 = @own[1u]
  @own[%i % 2u] = @v
  @log[(%i * 16u) + 7u] = %7
  %8: u32 = atomicLoad(@c[%i])
  %9: u32 = atomicAdd(@c[%i], 2u)
  @log[(%i * 16u) + 8u] = f32(%8)
  %10: f32 = @v
  loop
    if @v > 20.0f
      break
    @v = @v + %10
  @log[(%i * 16u) + 9u] = @v
  %11: f32 = workgroupUniformLoad(@tile[0u])
  %12: f32 = %11 + @tile[1u]
  %13: f32 = group_sum(@v)
  @log[(%i * 16u) + 10u] = %12
"""


def test_no_read_moves_past_what_may_change_it() -> None:
    assert body_text(materialise_snapshots(held.trace())) == HELD


def test_held_reads_mean_the_same() -> None:
    given = {
        "x": np.array([1, -2, 3], np.float32),
        "c": np.array([4, 5, 6], np.uint32),
        "log": np.zeros((3, 16), np.float32),
    }
    before = results(held, held.trace(), given)
    assert same_bits(before, results(held, materialise_snapshots(held.trace()), given))
    assert before["log"][0].tolist()[:11] == [1, 0, 5, 3, 1, 9, 10, 0, 4, 24, 3]


def test_a_pass_that_moves_reads_past_stores_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law itself can fail."""
    given = {"x": np.ones(3, np.float32), "c": np.zeros(3, np.uint32), "log": np.zeros((3, 16), np.float32)}
    before = results(held, held.trace(), given)

    def always(window: Window, found: object) -> bool:
        del window, found
        return True

    monkeypatch.setattr(Window, "fresh", always)
    assert not same_bits(before, results(held, materialise_snapshots(held.trace()), given))


@sd.function
def bumped(k: sd.Kernel, x: f32) -> f32:
    v = k.var(x)
    first = [v.value]
    v += 1
    second = [v.value]
    return first[0] * 10 + second[0]


@sd.kernel(workgroup_size=1)
def called(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        before = [x[i]]
        result = [noted(f32(2))]
        y[i] = before[0] + result[0] + bumped(x[i])


CALLED = """\
  %i: u32 = input.workgroup_id.x + (input.workgroup_id.y * input.num_workgroups.x)
  if %i >= param.n
    return
  %0: f32 = $noted(2.0f)
  %1: f32 = $bumped(@x[%i])
  @y[%i] = (@x[%i] + %0) + %1
"""
BUMPED = """\
function $noted(%x: f32) -> f32
  var @v: f32 = %x
  @v = @v + 1.0f
  return @v
function $bumped(%x: f32) -> f32
  var @v: f32 = %x
  %0: f32 = @v
  @v = @v + 1.0f
  return (%0 * 10.0f) + @v
"""


def test_calls_stay_where_they_are_and_pure_ones_are_passed() -> None:
    """The order of calls is kept; a load moves past a function that only touches its own variables."""
    after = materialise_snapshots(called.trace())
    assert body_text(after) == CALLED
    assert functions_text(after) == BUMPED
    given = {"x": np.arange(3, dtype=np.float32)}
    assert same_bits(results(called, called.trace(), given), results(called, after, given))


@sd.function
def meeting(k: sd.Kernel) -> None:
    k.barrier()


@sd.kernel(workgroup_size=8)
def met(k: sd.Kernel, y: Annotated[sd.Out[f32], "n, 8"]) -> None:
    tile = k.shared(f32, 8)
    with k.each_group(y.n) as row:
        tile[k.local_index] = k.local_index.f32
        meeting()
        mine = [tile[7 - k.local_index]]
        meeting()
        tile[k.local_index] = 0
        y[row, k.local_index] = mine[0]


def test_a_barrier_inside_a_function_holds_reads_back() -> None:
    after = materialise_snapshots(met.trace())
    assert "  %0: f32 = @tile[7u - input.local_invocation_index]\n  $meeting()\n" in body_text(after)
    assert results(met, after, {}, axes={"n": 2})["y"].tolist() == [[7, 6, 5, 4, 3, 2, 1, 0]] * 2


@sd.kernel(workgroup_size=1)
def named(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        twice = x[i] * 2
        shared = [x[i] + 1]
        y[i] = twice + shared[0] * shared[0]


def test_names_and_shared_values_stay() -> None:
    text = body_text(materialise_snapshots(named.trace()))
    assert "  %twice: f32 = @x[%i] * 2.0f\n" in text
    assert "  @y[%i] = %twice + (%0 * %0)\n" in text


@sd.kernel(workgroup_size=1)
def looped(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.Out[u32], "n"]) -> None:
    limit = k.var(u32(3))
    with k.each(x.n) as i:
        total = k.var(u32(0))
        for j in k.range(x[i] * 0, limit.value + x[i] * 0, x[i] * 0 + 1):
            limit.value = 100
            total += j + 1
        y[i] = total.value


def test_a_loops_bounds_are_read_once() -> None:
    """Loads do not move into the head of a loop, whose stop and step are read every turn."""
    after = materialise_snapshots(looped.trace())
    head = next(line for line in body_text(after).splitlines() if line.startswith("  for "))
    assert "@" not in head
    assert results(looped, after, {"x": np.ones(2, np.uint32)})["y"].tolist() == [6, 6]


@pytest.mark.parametrize("length", [DEEPEST - 1, DEEPEST, DEEPEST + 1, 3 * DEEPEST, 1000])
def test_long_expressions_are_cut(length: int) -> None:
    @sd.kernel(workgroup_size=1)
    def chain(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
        with k.each(x.n) as i:
            total = [x[i]]
            for step in range(length):
                total.append(total[-1] + step)
            y[i] = total[-1]

    after = materialise_snapshots(chain.trace())
    deepest = max(line.count("(") for line in body_text(after).splitlines())
    assert deepest <= DEEPEST
    lets = sum(isinstance(s, Let) for s in statements(after.body))
    assert lets <= 4 + length / (DEEPEST - 2)
    given = {"x": np.array([0.5], np.float32)}
    assert same_bits(results(chain, chain.trace(), given), results(chain, after, given))


def test_a_second_run_changes_nothing() -> None:
    for program in (inlined, held, called, met, named, looped):
        once = run(program.trace(), [materialise_snapshots])
        assert body_text(run(once, [materialise_snapshots])) == body_text(once)
