"""Runs of a plan again and again: one submission each, the same memory, right on every device, whatever lies in the memory before."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.graph.replay import Replay
from shaderdsl.runtime import submission
from shaderdsl.runtime.buffers import POISON, DeviceBuffer
from shaderdsl.runtime.device import Backend, Device, open_device
from shaderdsl.runtime.guards import guarded
from shaderdsl.runtime.submission import Commands

RNG = np.random.default_rng(0)


def block(x: Any, w: Any, lr: Any) -> dict[str, Any]:
    """Elementwise chains, rows, a contraction, a transposition, a number and two results."""
    y = ops.softmax(ops.linear(x, w) * lr)
    return {"y": ops.transpose(y), "total": ops.sum(y)}


def block_in_numpy(x: Any, w: Any, lr: float) -> dict[str, Any]:
    z = x.astype(np.float64) @ w.T * lr
    e = np.exp(z - z.max(1, keepdims=True))
    y = e / e.sum(1, keepdims=True)
    return {"y": y.T, "total": y.sum(1)}


def draw(rows: int = 5, inner: int = 12, columns: int = 7) -> tuple[Any, Any]:
    return RNG.normal(size=(rows, inner)).astype(np.float32), RNG.normal(size=(columns, inner)).astype(np.float32)


def close(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        np.testing.assert_allclose(np.asarray(found[name]), value, rtol=1e-4, atol=1e-5)


def replay_of(plan: Any) -> Replay:
    (traced,) = plan._traced.values()
    (replay,) = traced.runner.replays.values()
    return replay


@pytest.mark.parametrize("fusion", [True, False])
def test_runs_with_other_arrays_and_numbers(executor_name: str, fusion: bool) -> None:
    plan = sd.compile(device=executor_name, fusion=fusion)(block)
    for number in range(5):
        x, w = draw()
        close(plan(x, w, 0.5 + number), block_in_numpy(x, w, 0.5 + number))


def test_resident_and_host_arguments_in_turn(device_name: str) -> None:
    plan = sd.compile(device=device_name)(block)
    for number in range(8):
        x, w = draw()
        given = [sd.array(a, device=device_name) if number & bit else a for bit, a in ((1, x), (2, w))]
        found = plan(*given, 0.7)
        assert isinstance(found["y"], np.ndarray) is (number % 4 == 0)
        close(found, block_in_numpy(x, w, 0.7))


def test_resident_results_are_arrays_of_their_own(device_name: str) -> None:
    plan = sd.compile(device=device_name)(block)
    x, w = draw()
    given = sd.array(x, device=device_name)
    first = plan(given, w, 1.0)
    second = plan(given, w, 2.0)
    close(first, block_in_numpy(x, w, 1.0))
    close(second, block_in_numpy(x, w, 2.0))


def test_one_submission_a_run(device: Device, device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = sd.compile(device=device_name, fusion=False)(block)
    x, w = draw()
    plan(x, w, 1.0)
    count: list[int] = []
    submit = submission.submit

    def counted(*arguments: Any) -> None:
        count.append(1)
        submit(*arguments)

    monkeypatch.setattr("shaderdsl.graph.replay.submit", counted)
    plan(x, w, 2.0)
    assert len(count) == 1
    assert plan.dispatches > 4
    del device


def test_bind_groups_are_kept_for_the_same_arrays(device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = sd.compile(device=device_name, donate=("state",))(lambda state, x: ops.matmul(state, x))
    x = sd.array(np.eye(8, dtype=np.float32), device=device_name)
    state: Any = np.ones((8, 8), np.float32)
    for _ in range(5):
        state = plan(state, x)
    made: list[int] = []
    dispatch = Replay.dispatch

    def counted(self: Replay, *arguments: Any) -> Any:
        made.append(1)
        return dispatch(self, *arguments)

    monkeypatch.setattr(Replay, "dispatch", counted)
    for _ in range(6):
        state = plan(state, x)
    assert made == []
    np.testing.assert_array_equal(state.numpy(), 1)


def test_by_methods_as_by_handles(device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = draw()
    expected = sd.compile(device=device_name)(block)(x, w, 0.5)
    of = Commands.of.__func__  # pyright: ignore[reportFunctionMemberAccess]

    def without(cls: Any, device: Device, dispatches: Any) -> Commands:
        return Commands(of(cls, device, dispatches).dispatches, None, ())

    monkeypatch.setattr(Commands, "of", classmethod(without))
    found = sd.compile(device=device_name)(block)(x, w, 0.5)
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value)


def test_guards_stand_around_every_tensor(device: Device, device_name: str) -> None:
    plan = sd.compile(device=device_name, fusion=False)(block)
    x, w = draw(3, 7, 5)
    plan(x, w, 1.0)
    with guarded(device) as guards:
        for _ in range(3):
            close(plan(x, w, 1.0), block_in_numpy(x, w, 1.0))
        plan.free()
    assert guards.faults == []
    assert guards.checked >= plan.dispatches


def test_guards_see_what_is_written_beside(device: Device, device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = sd.compile(device=device_name, fusion=False)(block)
    x, w = draw(3, 7, 5)
    size = DeviceBuffer.put_guards

    def wrong(self: DeviceBuffer) -> None:
        size(self)
        self.put(np.zeros(8, np.uint8), (self.size + 3) // 4 * 4)

    monkeypatch.setattr(DeviceBuffer, "put_guards", wrong)
    with guarded(device) as guards:
        plan(x, w, 1.0)
        plan.free()
    assert guards.faults


@pytest.mark.parametrize("fusion", [True, False])
def test_every_element_is_written_before_it_is_read(device_name: str, fusion: bool) -> None:
    plan = sd.compile(device=device_name, fusion=fusion)(block)
    x, w = draw(6, 9, 11)
    for _ in range(3):
        close(plan(x, w, 1.0), block_in_numpy(x, w, 1.0))
        for arena in replay_of(plan).arenas:
            arena.fill(POISON)


def test_poison_is_seen(device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = sd.compile(device=device_name)(lambda x: ops.transpose(x) * 2.0)
    plan(np.ones((3, 3), np.float32))
    for arena in replay_of(plan).arenas:
        arena.fill(POISON)
    monkeypatch.setattr(Replay, "upload", lambda *_: None)
    assert not np.isfinite(plan(np.ones((3, 3), np.float32))).any()


def test_memory_is_kept_between_runs_and_given_back(device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[DeviceBuffer] = []
    allocate = DeviceBuffer.allocate.__func__  # pyright: ignore[reportFunctionMemberAccess]

    def noted(*arguments: Any, **named: Any) -> DeviceBuffer:
        made.append(allocate(DeviceBuffer, *arguments, **named))
        return made[-1]

    monkeypatch.setattr(DeviceBuffer, "allocate", noted)
    plan = sd.compile(device=device_name)(block)
    x, w = draw()
    plan(x, w, 1.0)
    count = len(made)
    plan(x, w, 2.0)
    assert len(made) == count
    assert sum(b.size for b in made) == plan.peak_bytes
    plan.free()
    assert all(b.freed for b in made)
    close(plan(x, w, 3.0), block_in_numpy(x, w, 3.0))


def test_memory_that_cannot_be_laid_out_is_made_in_each_run(device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shaderdsl.graph.memory.SLACK", -(10**9))
    monkeypatch.setattr("shaderdsl.graph.memory.SPARE", -1)
    plan = sd.compile(device=device_name, fusion=False)(block)
    x, w = draw()
    for number in range(2):
        close(plan(x, w, 1.0 + number), block_in_numpy(x, w, 1.0 + number))
    assert plan.peak_bytes == plan.live_bytes


def test_threads_share_a_plan(device_name: str) -> None:
    plan = sd.compile(device=device_name)(block)
    drawn = [draw() for _ in range(8)]
    found: dict[int, Any] = {}

    def work(number: int) -> None:
        found[number] = plan(*drawn[number], 1.0)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, (x, w) in enumerate(drawn):
        close(found[number], block_in_numpy(x, w, 1.0))


def test_a_lost_device_is_named_and_a_new_one_serves(device_name: str) -> None:
    plan = sd.compile(device=device_name)(block)
    x, w = draw()
    plan(x, w, 1.0)
    open_device(Backend(device_name)).lose("unplugged")
    close(plan(x, w, 2.0), block_in_numpy(x, w, 2.0))


def test_an_array_of_a_lost_device_is_named(device_name: str) -> None:
    plan = sd.compile(device=device_name)(lambda x: x * 2.0)
    x = sd.array(np.ones(3, np.float32), device=device_name)
    plan(x)
    open_device(Backend(device_name)).lose("unplugged")
    with pytest.raises(sd.LaunchError, match="x lies on another device"):
        plan(x)


def test_a_refused_dispatch_is_named_with_its_line(device_name: str) -> None:
    plan = sd.compile(device=device_name, fusion=False)(block)
    x, w = draw()
    plan(x, w, 1.0)
    replay = replay_of(plan)
    other = sd.compile(device=device_name)(lambda a: ops.exp(a))
    other(x)
    strange = replay_of(other).fixed[0]
    assert strange is not None
    fixed = list(replay.fixed)
    place = next(n for n, d in enumerate(fixed) if d is not None and "softmax" in d.name)
    fixed[place] = fixed[place]._replace(bound=strange.bound)  # pyright: ignore[reportOptionalMemberAccess]
    replay.fixed = tuple(fixed)
    replay.known.clear()
    with pytest.raises(sd.DriverError, match="softmax") as caught:
        plan(x, w, 1.0)
    assert caught.value.loc is not None
    assert "ops.softmax(ops.linear" in caught.value.loc.span().source


def test_memory_that_is_not_there_is_named(device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> DeviceBuffer:
        raise sd.DeviceError("not enough memory")

    plan = sd.compile(device=device_name, fusion=False)(block)
    monkeypatch.setattr(DeviceBuffer, "allocate", refused)
    with pytest.raises(sd.DeviceError, match="not enough memory") as caught:
        plan(*draw(), 1.0)
    assert "the buffer is for" in caught.value.notes[-1]
    assert caught.value.loc is not None
