"""Where tensors lie: what is needed together lies apart, what one launch reads and writes in different buffers, and little is wasted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.graph.memory import (
    ALIGNMENT,
    SLACK,
    Layout,
    Life,
    apart_of,
    in_any_order,
    in_order_of_time,
    laid_out,
    lives_of,
    most_alive,
    separate,
)

KIB = 1024


@dataclass(frozen=True)
class Step:
    """As much of a launch as memory knows."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[Any], dict[str, int], list[str]]:
    """Launches that read what came before, sizes, and some results."""
    sizes = draw(st.lists(st.sampled_from([4, 60, 256, 4096, 100_000, 2**20, 3 * 2**20]), min_size=1, max_size=4))
    steps: list[Any] = []
    known: list[str] = ["x"]
    for number in range(draw(st.integers(1, 30))):
        reads = draw(st.lists(st.sampled_from(known[-6:]), max_size=3, unique=True))
        writes = [f"t{number}_{k}" for k in range(draw(st.integers(1, 2)))]
        steps.append(Step(tuple(reads), tuple(writes)))
        known += writes
    results = draw(st.lists(st.sampled_from(known[1:]), min_size=1, max_size=3, unique=True))
    return steps, {n: draw(st.sampled_from(sizes)) for n in known}, results


def laid(program: tuple[list[Any], dict[str, int], list[str]]) -> tuple[Layout, dict[str, set[str]]]:
    steps, sizes, results = program
    lives = lives_of(steps, sizes, ["x"], results)
    apart = apart_of(steps, lives)
    return laid_out(lives, apart), apart


def faults(layout: Layout, apart: dict[str, set[str]]) -> list[str]:
    """What is wrong with a placement, by looking at each pair."""
    found: list[str] = []
    for name, place in layout.places.items():
        if place.offset % ALIGNMENT or place.offset + place.size > layout.arenas[place.arena]:
            found.append(f"{name} does not fit")
        for other, second in layout.places.items():
            if other <= name or place.arena != second.arena:
                continue
            meets = place.offset < second.offset + second.size and second.offset < place.offset + place.size
            if meets and layout.lives[name].meets(layout.lives[other]):
                found.append(f"{name} and {other} share memory")
            if other in apart[name]:
                found.append(f"{name} and {other} share a buffer")
    return found


@settings(max_examples=150)
@given(programs())
def test_placements_are_sound_and_tight(program: tuple[list[Any], dict[str, int], list[str]]) -> None:
    layout, apart = laid(program)
    assert faults(layout, apart) == []
    assert layout.live <= layout.peak <= layout.live + max(layout.live / 10, SLACK)
    assert layout.packed is (len(layout.places) == len(layout.lives))


@settings(max_examples=50)
@given(programs())
def test_each_way_of_placing_is_sound(program: tuple[list[Any], dict[str, int], list[str]]) -> None:
    steps, sizes, results = program
    lives = lives_of(steps, sizes, ["x"], results)
    apart = apart_of(steps, lives)
    for places in (in_order_of_time(list(lives), lives, apart), in_any_order(list(lives), lives, apart)):
        sizes_of = {p.arena: 0 for p in places.values()}
        arenas = tuple(max(p.offset + p.size for p in places.values() if p.arena == a) for a in sorted(sizes_of))
        assert faults(Layout(lives, places, arenas, 0), apart) == []


def test_the_pairwise_look_finds_planted_faults() -> None:
    steps = [Step(("x",), ("a",)), Step((), ("b",)), Step(("a",), ("c",))]
    lives = lives_of(steps, dict.fromkeys("xabc", KIB), ["x"], ["b", "c"])
    apart = apart_of(steps, lives)
    assert any("share memory" in f for f in faults(laid_out(lives, {n: set() for n in lives}), apart)) is False
    assert any("share a buffer" in f for f in faults(laid_out(lives, {n: set() for n in lives}), apart))
    short = {n: Life(life.first, life.first, life.size) for n, life in lives.items()}
    wrong = laid_out(short, apart_of(steps, lives))
    assert any("share memory" in f for f in faults(Layout(lives, wrong.places, wrong.arenas, 0), apart))


def test_the_most_that_is_alive() -> None:
    lives = [Life(0, 1, 10), Life(1, 2, 20), Life(2, 3, 5), Life(-1, 0, 7)]
    assert most_alive(lives) == max(sum(x.size for x in lives if x.first <= t <= x.last) for t in range(-1, 4)) == 30


def test_a_chain_takes_two_buffers_however_long() -> None:
    steps = [Step((f"t{n}",), (f"t{n + 1}",)) for n in range(10_000)]
    lives = lives_of(steps, {f"t{n}": 4 * KIB for n in range(10_001)}, ["t0"], ["t10000"])
    layout = laid_out(lives, apart_of(steps, lives))
    assert layout.arenas == (4 * KIB, 4 * KIB)


@pytest.mark.parametrize("size", [4 * KIB, 12_345])
def test_a_long_forward_and_backward_waste_little(size: int) -> None:
    """Each backward step reads what a forward step has left."""
    count = 1500
    steps = [Step((f"t{n}",), (f"t{n + 1}",)) for n in range(count)]
    steps += [Step((f"t{n}", f"d{n + 1}"), (f"d{n}", f"w{n}")) for n in reversed(range(count))]
    sizes = {n: size * (1 + len(n) % 3) for s in steps for n in (*s.reads, *s.writes)}
    lives = lives_of(steps, sizes, ["t0", f"d{count}"], ["d0"])
    layout = laid_out(lives, apart_of(steps, lives))
    assert layout.packed
    assert layout.peak <= 1.02 * layout.live


def test_what_does_not_fit_well_is_made_for_each_run() -> None:
    steps = [Step((), ("a",)), Step(("a",), ("b",)), Step((), ("c",)), Step(("c",), ("d",))]
    sizes = {"a": 500 * KIB, "b": 500 * KIB, "c": 900 * KIB, "d": 100 * KIB}
    lives = lives_of(steps, sizes, [], ["d"])
    layout = laid_out(lives, apart_of(steps, lives))
    assert not layout.packed
    assert layout.peak == layout.live == 1000 * KIB


def test_guards_get_buffers_of_their_own() -> None:
    lives = {"a": Life(0, 1, 8), "b": Life(2, 3, 12)}
    assert separate(lives).arenas == (8, 12)


def mlp(x: Any, w: Any, v: Any) -> Any:
    hidden = ops.softmax(ops.linear(x, w))
    return ops.softmax(ops.linear(hidden, v)), sd.grad(
        ops.mean(ops.mean(ops.linear(ops.relu(hidden), v))), {"w": w, "v": v}
    )


def chain(x: Any) -> Any:
    for _ in range(20):
        x = ops.softmax(x * 1.5)
    return x


GRAPHS: dict[str, tuple[Any, list[tuple[int, ...]]]] = {
    "mlp": (mlp, [(64, 128), (256, 128), (64, 256)]),
    "chain": (chain, [(128, 300)]),
}


@pytest.mark.parametrize("fusion", [True, False])
@pytest.mark.parametrize("name", GRAPHS)
def test_real_graphs_waste_less_than_a_tenth(name: str, fusion: bool) -> None:
    function, shapes = GRAPHS[name]
    plan = sd.compile(device="interpreter", fusion=fusion)(function)
    plan(*[np.ones(s, np.float32) for s in shapes])
    assert plan.live_bytes <= plan.peak_bytes <= 1.1 * plan.live_bytes
