"""Generated graphs, replayed: the same bits whatever lay in the memory before, nothing written beside, little wasted, no check that fails."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl.graph.nest import walk
from shaderdsl.runtime.buffers import POISON
from shaderdsl.runtime.device import Backend, open_device
from shaderdsl.runtime.guards import guarded
from shaderdsl.testing.graphs import draw_graph

SEEDS = range(8)
MANY = range(100, 200)


def leaves(found: Any) -> list[Any]:
    return [np.asarray(value) for _, value in walk(found, "")]


def same(first: Any, second: Any) -> None:
    for a, b in zip(leaves(first), leaves(second), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("fusion", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_bits_again(device_name: str, seed: int, fusion: bool) -> None:
    drawn = draw_graph(seed)
    plan = sd.compile(device=device_name, fusion=fusion)(drawn.function)
    first = plan(**drawn.arguments)
    (traced,) = plan._traced.values()
    for replay in traced.runner.replays.values():
        for arena in replay.arenas:
            arena.fill(POISON)
    same(first, plan(**drawn.arguments))
    with guarded(open_device(Backend(device_name))) as guards:
        same(first, plan(**drawn.arguments))
        plan.free()
    assert guards.faults == []


@pytest.mark.parametrize("seed", SEEDS)
def test_resident_arguments_give_the_same(device_name: str, seed: int) -> None:
    drawn = draw_graph(seed)
    plan = sd.compile(device=device_name)(drawn.function)
    first = plan(**drawn.arguments)
    given = {n: sd.array(a, device=device_name) for n, a in drawn.arguments.items()}
    same(first, plan(**given))
    same(first, plan(**given))


@pytest.mark.parametrize("seed", SEEDS)
def test_one_submission_is_as_one_launch_after_the_other(
    device_name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = draw_graph(seed)
    first = sd.compile(device=device_name, fusion=False)(drawn.function)(**drawn.arguments)
    monkeypatch.setattr("shaderdsl.graph.memory.SLACK", -(10**9))
    monkeypatch.setattr("shaderdsl.graph.memory.SPARE", -1)
    same(first, sd.compile(device=device_name, fusion=False)(drawn.function)(**drawn.arguments))


def test_memory_of_many_graphs(monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """Planned only: the checks pass, and what is laid out in arenas keeps to the bound."""

    def planned_only(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr("shaderdsl.graph.runner.stepped", planned_only)
    waste: list[float] = []
    packed = 0
    for seed in MANY:
        drawn = draw_graph(seed)
        plan = sd.compile(device="interpreter", fusion=seed % 2 == 0)(drawn.function)
        with pytest.raises(NotImplementedError):
            plan(**drawn.arguments)
        waste.append(plan.peak_bytes / plan.live_bytes)
        packed += plan._traced_last.runner.layout_last.packed
        assert plan.peak_bytes <= plan.live_bytes + max(plan.live_bytes / 10, 16 * 1024)
    record_property("summary", f"plans in arenas: {packed} of {len(waste)}, peak over live {np.mean(waste):.3f}")
    assert packed == len(waste)
    assert np.mean(waste) < 1.1
