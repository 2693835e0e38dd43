"""The checks of a plan before it runs: a sound one passes, and each planted fault is found."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.errors import InternalError
from shaderdsl.graph.check import check
from shaderdsl.graph.memory import Layout, Place
from shaderdsl.graph.plan import Planned
from shaderdsl.ir.kernel import Role
from shaderdsl.runtime.limits import PORTABLE
from shaderdsl.schedule.group import Launch


def graph(state: Any, x: Any, lr: Any) -> Any:
    """Four launches: products that stay, one that is written over, and a last one."""
    first = ops.matmul(x, x)
    second = ops.matmul(first, x)
    third = ops.matmul(second, first)
    return state + third * lr, third


def sound() -> tuple[Planned, Layout]:
    plan = sd.compile(device="interpreter", fusion=False, donate=("state",))(graph)
    x = np.eye(64, dtype=np.float32)
    plan(x, x, 0.5)
    (traced,) = plan._traced.values()
    return traced.planned, traced.runner.layout_last


def changed(planned: Planned, number: int, **fields: Any) -> Planned:
    launches = list(planned.launches)
    launches[number] = replace(launches[number], **fields)
    return replace(planned, launches=tuple(launches))


def placed(layout: Layout, name: str, **fields: Any) -> Layout:
    return replace(layout, places={**layout.places, name: replace(layout.places[name], **fields)})


def with_buffers(launch: Launch, change: Callable[[Any], Any]) -> Any:
    return replace(launch.kernel, buffers=tuple(map(change, launch.kernel.buffers)))


def test_a_sound_plan_passes() -> None:
    planned, layout = sound()
    check(planned, layout)
    assert [len(launch.over) for launch in planned.launches] == [0, 0, 0, 0, 1]


Fault = Callable[[Planned, Layout], tuple[Planned, Layout]]


def swapped(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    first, second, *rest = planned.launches
    return replace(planned, launches=(second, first, *rest)), layout


def lost(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    return replace(planned, launches=planned.launches[:-1]), layout


def twice(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    return replace(planned, launches=(planned.launches[0], *planned.launches)), layout


def one_arena(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    """Two neighbours in one buffer, at places of their own."""
    reads, writes = planned.launches[1].reads, planned.launches[1].writes
    name = next(n for n in reads if n in layout.places)
    top = max(layout.arenas)
    arenas = tuple(3 * top for _ in layout.arenas)
    places = {**layout.places, writes[0]: Place(layout.places[name].arena, 2 * top, layout.places[writes[0]].size)}
    return planned, replace(layout, places=places, arenas=arenas)


def reused_too_early(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    """The second product over the first, which the third launch reads."""
    (first,), (second,) = planned.launches[0].writes, planned.launches[1].writes
    return planned, replace(layout, places={**layout.places, second: layout.places[first]})


def nothing_read(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    return changed(planned, 1, reads=()), layout


def not_taken_over(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    return replace(planned, takes={}), layout


def read_later(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    last = planned.launches[-1]
    after = replace(planned.launches[0], reads=("x", "state"), writes=("late",))
    return replace(planned, launches=(*planned.launches[:-1], last, after)), layout


def read_after_writing(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    kernel = planned.launches[-1].kernel
    return changed(planned, -1, kernel=replace(kernel, body=kernel.body * 2)), layout


def wrong_role(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    launch = planned.launches[0]
    return changed(planned, 0, kernel=with_buffers(launch, lambda b: replace(b, role=Role.INOUT, written=True))), layout


def one_binding(planned: Planned, layout: Layout) -> tuple[Planned, Layout]:
    launch = planned.launches[0]
    return changed(planned, 0, kernel=with_buffers(launch, lambda b: replace(b, binding=0))), layout


def any_place(layout: Layout) -> str:
    return next(iter(layout.places))


FAULTS: dict[str, tuple[Fault, str]] = {
    "order": (swapped, "before it is written"),
    "no maker": (lost, "no launch makes the result"),
    "written twice": (twice, "which is there already"),
    "read and written": (one_arena, "in one buffer"),
    "reused too early": (reused_too_early, "in one buffer|something else has taken"),
    "binds what it does not read": (nothing_read, "reads and writes other tensors"),
    "written over, not taken over": (not_taken_over, "which it does not take over"),
    "written over, read later": (read_later, "which a later launch reads"),
    "written over, read after": (read_after_writing, "after it has written over it"),
    "role": (wrong_role, "not as"),
    "binding": (one_binding, "binds a tensor or a place twice"),
    "alignment": (lambda p, m: (p, placed(m, any_place(m), offset=4)), "cannot be bound"),
    "too small": (lambda p, m: (p, placed(m, any_place(m), size=8)), "and needs"),
    "out of its arena": (lambda p, m: (p, replace(m, arenas=tuple(a - 4 for a in m.arenas))), "reaches out"),
    "below its arena": (lambda p, m: (p, placed(m, any_place(m), offset=-256)), "reaches out"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    plant, message = FAULTS[name]
    with pytest.raises(InternalError, match=message):
        check(*plant(*sound()))


def test_reuse_of_what_is_still_needed_is_found_in_other_arenas() -> None:
    """The first product is needed by the third launch: a fourth arena cannot save what lies over it."""
    planned, layout = sound()
    (first,), (third,) = planned.launches[0].writes, planned.launches[2].writes
    moved = replace(layout.places[third], arena=layout.places[first].arena, offset=layout.places[first].offset)
    strange = changed(planned, 2, reads=tuple(n for n in planned.launches[2].reads if n != first))
    with pytest.raises(InternalError):
        check(strange, replace(layout, places={**layout.places, third: moved}))


def test_two_writes_to_one_place_are_found() -> None:
    plan = sd.compile(device="interpreter")(lambda x: (x * 2.0, x * 3.0))
    plan(np.ones(64, np.float32))
    (traced,) = plan._traced.values()
    layout = traced.runner.layout_last
    first, second = traced.planned.launches[0].writes
    with pytest.raises(InternalError, match="to one place"):
        check(traced.planned, replace(layout, places={**layout.places, first: layout.places[second]}))


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        ("max-storage-buffer-binding-size", 64 * 64 * 4 - 4, "takes 16384 bytes, 4 more than can be bound"),
        ("max-compute-workgroups-per-dimension", 0, "workgroups, more than two axes hold"),
        ("max-uniform-buffer-binding-size", 0, "more than a uniform holds"),
    ],
)
def test_limits_stand_at_the_line_of_the_op(limit: str, value: int, message: str) -> None:
    planned, layout = sound()
    with pytest.raises(sd.LimitError, match=message) as caught:
        check(planned, layout, {**PORTABLE, limit: value})
    assert caught.value.loc is not None
    assert caught.value.loc.span().function == "graph"


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [("max-storage-buffers-per-shader-stage", 1, "binds 2 tensors"), ("max-buffer-size", 64, "more than a buffer")],
)
def test_limits_that_planning_keeps(limit: str, value: int, message: str) -> None:
    planned, layout = sound()
    with pytest.raises(InternalError, match=message):
        check(planned, layout, {**PORTABLE, limit: value})


def test_a_tensor_too_large_to_bind_is_refused_before_anything_runs() -> None:
    spread = sd.op("spread", "given x[i]\ny[i, j < 8192] = x[i] + j")
    plan = sd.compile(device="interpreter")(lambda x: spread(x))
    with pytest.raises(sd.LimitError, match="spread takes 268435456 bytes") as caught:
        plan(np.ones(8192, np.float32))
    assert caught.value.loc is not None
    assert "spread(x)" in caught.value.loc.span().source
