"""clear_shared: shared memory is zero at first on every device, whatever it holds, and whatever was there before."""

from __future__ import annotations

from typing import Annotated

import numpy as np

import shaderdsl as sd
from codegen_tests.passes.running import body_text
from shaderdsl import f32, i32, u32
from shaderdsl.passes.shared_zero import clear_shared

GROUPS = 8


@sd.struct
class Tally:
    counts: Annotated[sd.Array[sd.Atomic[u32]], 3]
    total: sd.Atomic[i32]
    label: u32


@sd.struct
class Body:
    turn: sd.mat3x3f
    sizes: Annotated[sd.Array[f32], 3]


@sd.kernel(workgroup_size=4)
def dirty(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
    """Every group adds up what it finds and leaves numbers behind."""
    words = k.shared(u32, 6)
    flags = k.shared(sd.bool_, 3)
    rows = k.shared(sd.vec3f, 5)
    bodies = k.shared(Body, 2)
    counters = k.shared(sd.Atomic[i32], 2)
    tallies = k.shared(Tally, 2)
    with k.each_group(y.n) as group:
        counters[1].add(1)
        tallies.at(1).counts.at(2).add(1)
        tallies.at(1).total.sub(1)
        found = words[5] + flags[2].u32 + rows[4].z.u32 + bodies[1].turn[2].z.u32 + bodies[1].sizes[2].u32
        k.barrier()
        with k.if_(k.local_index == 0):
            counted = counters[1].load().u32 + tallies.at(1).counts.at(2).load()
            y[group] = found + counted * 1000 + tallies.at(1).label.value
            words[5] = 7
            flags[2] = True
            rows[4] = sd.vec3f(7)
            bodies.at(1).turn[2] = sd.vec3f(7)
            bodies.at(1).sizes[2] = 7.0
            tallies.at(1).label.value = u32(7)


def test_shared_memory_is_zero_at_first(executor_name: str) -> None:
    for _ in range(2):
        assert dirty(axes={"n": GROUPS}, device=executor_name).tolist() == [8000] * GROUPS


@sd.kernel(workgroup_size=4)
def tile(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    words = k.shared(f32, 6)
    tallies = k.shared(Tally, 1)
    with k.each_group(y.n) as group:
        y[group] = words[0] + tallies.at(0).total.load().f32


CLEARED = """\
  for %element: u32 in range(input.local_invocation_index, 6u, 4u)
    @words[%element] = 0.0f
  for %element.1: u32 in range(input.local_invocation_index, 1u, 4u)
    for %element.2: u32 in range(0u, 3u, 1u)
      atomicStore(@tallies[%element.1].counts[%element.2], 0u)
    atomicStore(@tallies[%element.1].total, 0i)
    @tallies[%element.1].label = 0u
  workgroupBarrier()
"""


def test_every_invocation_clears_a_part() -> None:
    assert body_text(clear_shared(tile.trace())).startswith(CLEARED)


@sd.kernel
def alone(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    own = k.private(f32, 4)
    with k.each(y.n) as i:
        y[i] = own[i % 4]


def test_memory_that_is_not_shared_is_left_alone() -> None:
    traced = alone.trace()
    assert clear_shared(traced) is traced
    assert not np.any(alone(axes={"n": 5}, device="interpreter"))


def test_the_text_that_a_user_reads_relies_on_the_language() -> None:
    assert "element" not in tile.wgsl()
    assert "element" in tile.launched("wgpu", False, {}).text
    assert tile.launched("dawn", False, {}).text == tile.wgsl()
