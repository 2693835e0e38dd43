"""write_debug and drop_debug: the log buffer's layout, what does not fit, prints in loops and branches, assertions, resident arrays."""

from __future__ import annotations

import logging
from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.passes.running import body_text
from shaderdsl import f16, f32, i32, u32
from shaderdsl.debug import Collector, read_log
from shaderdsl.ir.text import kernel_text
from shaderdsl.passes.debug import HEADER, LOG_WORDS, debug_statements, drop_debug, write_debug


@sd.kernel(workgroup_size=4)
def watched(k: sd.Kernel, x: Annotated[sd.In[i32], "n"], y: Annotated[sd.Out[i32], "n"]) -> None:
    with k.each(x.n) as i:
        k.print("start {}", i)
        for j in k.range(x[i], 0, -1):
            with k.if_(j & 1 == 0):
                k.print("even j={} of {}", j, x[i])
        k.assert_(x[i] < 5, "x is below 5")  # noqa: PT009
        y[i] = x[i]


WRITTEN = """\
  %0: u32 = input.workgroup_id.y * input.num_workgroups.x
  %1: u32 = input.workgroup_id.x + %0
  %2: u32 = %1 * 4u
  %i: u32 = %2 + input.local_invocation_index
  %3: bool = %i >= param.n
  if %3
    return
  %record: u32 = atomicAdd(@debug_log[0u], 5u)
  if %record <= 65531u
    atomicStore(@debug_log[%record + 1u], 0u)
    atomicStore(@debug_log[%record + 2u], input.global_invocation_id.x)
    atomicStore(@debug_log[%record + 3u], input.global_invocation_id.y)
    atomicStore(@debug_log[%record + 4u], input.global_invocation_id.z)
    atomicStore(@debug_log[%record + 5u], %i)
  %4: i32 = @x[%i]
  for %j: i32 in range(%4, 0i, -1i)
    %5: i32 = %j & 1i
    %6: bool = %5 == 0i
    if %6
      %7: i32 = @x[%i]
      %record.1: u32 = atomicAdd(@debug_log[0u], 6u)
      if %record.1 <= 65530u
        atomicStore(@debug_log[%record.1 + 1u], 1u)
        atomicStore(@debug_log[%record.1 + 2u], input.global_invocation_id.x)
        atomicStore(@debug_log[%record.1 + 3u], input.global_invocation_id.y)
        atomicStore(@debug_log[%record.1 + 4u], input.global_invocation_id.z)
        atomicStore(@debug_log[%record.1 + 5u], bitcast<u32>(%j))
        atomicStore(@debug_log[%record.1 + 6u], bitcast<u32>(%7))
  %8: i32 = @x[%i]
  %9: bool = %8 < 5i
  if !(%9)
    %record.2: u32 = atomicAdd(@debug_log[0u], 4u)
    if %record.2 <= 65532u
      atomicStore(@debug_log[%record.2 + 1u], 2u)
      atomicStore(@debug_log[%record.2 + 2u], input.global_invocation_id.x)
      atomicStore(@debug_log[%record.2 + 3u], input.global_invocation_id.y)
      atomicStore(@debug_log[%record.2 + 4u], input.global_invocation_id.z)
  %10: i32 = @x[%i]
  @y[%i] = %10
"""
DROPPED = """\
  %0: u32 = input.workgroup_id.y * input.num_workgroups.x
  %1: u32 = input.workgroup_id.x + %0
  %2: u32 = %1 * 4u
  %i: u32 = %2 + input.local_invocation_index
  %3: bool = %i >= param.n
  if %3
    return
  %4: i32 = @x[%i]
  for %j: i32 in range(%4, 0i, -1i)
    %5: i32 = %j & 1i
    %6: bool = %5 == 0i
    if %6
      %7: i32 = @x[%i]
  %8: i32 = @x[%i]
  %9: bool = %8 < 5i
  %10: i32 = @x[%i]
  @y[%i] = %10
"""


def test_before_and_after() -> None:
    assert body_text(write_debug(watched.trace())) == WRITTEN
    assert body_text(drop_debug(watched.trace())) == DROPPED


def test_the_log_is_one_more_buffer() -> None:
    head = kernel_text(write_debug(watched.trace()))
    assert f"  buffer @debug_log: array<atomic<u32>> [{LOG_WORDS + 1}] InOut, group 0 binding 3, written\n" in head
    assert "debug_log" not in watched.wgsl()
    assert "debug_log" in watched.wgsl(debug=True)


def lines_of(device: str, x: list[int]) -> tuple[list[sd.DebugLine], np.ndarray]:
    lines: list[sd.DebugLine] = []
    y = watched(np.array(x, np.int32), device=device, debug=lines.append)
    return lines, y


def test_lines_of_each_invocation(executor_name: str) -> None:
    """Each invocation's lines in order of time, with id, file and line."""
    lines, y = lines_of(executor_name, [3, 0, 4])
    assert y.tolist() == [3, 0, 4]
    texts = {i: [line.text for line in lines if line.invocation == (i, 0, 0)] for i in range(3)}
    assert texts == {
        0: ["start 0", "even j=2 of 3"],
        1: ["start 1"],
        2: ["start 2", "even j=4 of 4", "even j=2 of 4"],
    }
    assert {line.path for line in lines} == {__file__}
    span = watched.signature.loc.span()
    source = span.line
    assert sorted({line.line - source for line in lines}) == [3, 6]
    assert str(lines[0]) == f"{__file__}:{source + 3}: [0, 0, 0] start 0"


def test_assertions_fail_with_their_invocations(executor_name: str) -> None:
    with pytest.raises(sd.AssertionFailed) as caught:
        lines_of(executor_name, [9, 1, *range(5, 12)])
    assert caught.value.message == "x is below 5"
    assert caught.value.notes == (
        "it fails for invocation [0, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0], [5, 0, 0] and 3 more",
    )
    assert caught.value.loc is not None
    assert caught.value.loc.span().path == __file__


def test_assertions_are_not_checked_on_devices_unless_asked(device_name: str) -> None:
    assert watched(np.array([9], np.int32), device=device_name).tolist() == [9]
    with pytest.raises(sd.AssertionFailed):
        watched(np.array([9], np.int32), device="interpreter")


def test_lines_go_to_the_log_where_nobody_receives_them(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "shaderdsl"):
        watched(np.array([1], np.int32), device="interpreter")
    assert [r.message.rpartition(": ")[2] for r in caplog.records] == ["[0, 0, 0] start 0"]


@sd.kernel(workgroup_size=1)
def typed(
    k: sd.Kernel, h: Annotated[sd.In[f16], "n"], x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[u32], "n"]
) -> None:
    with k.each(h.n) as i:
        k.print("h={} x={:.2f} i={} u={} b={} t={{}}", h[i], x[i], x[i].i32, 4000000000 - i, x[i] > 1)
        y[i] = i


@pytest.mark.parametrize("device", ["wgpu", "interpreter"])
def test_values_of_every_type(device: str) -> None:
    lines: list[str] = []
    h, x = np.array([0.1, -65504], np.float16), np.array([1.256, -3.9], np.float32)
    typed(h, x, device=device, debug=lambda line: lines.append(line.text))
    assert lines == [
        "h=0.0999755859375 x=1.26 i=1 u=4000000000 b=True t={}",
        "h=-65504.0 x=-3.90 i=-3 u=3999999999 b=False t={}",
    ]


@sd.kernel(workgroup_size=1)
def special(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        k.print("{}", x[i])
        y[i] = x[i]


def test_special_floats_are_printed(executor_name: str) -> None:
    lines: list[str] = []
    x = np.array([np.inf, -np.inf, np.nan, -0.0, 1e-45, 3.4028235e38], np.float32)
    special(x, device=executor_name, debug=lambda line: lines.append(line.text))
    assert lines == [str(float(value)) for value in x]


def test_resident_arrays_stay_resident(executor_name: str) -> None:
    lines: list[sd.DebugLine] = []
    x = sd.array(np.array([2, 1], np.int32), device=executor_name)
    y = watched(x, debug=lines.append)
    assert isinstance(y, sd.DeviceArray)
    assert y.numpy().tolist() == [2, 1]
    assert len(lines) == 3


@sd.kernel(workgroup_size=64)
def chatty(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(y.n) as i:
        with k.if_(i == 0xFFFFFFF0):
            k.print("never")
        k.print("{} {} {} {} {}", i, i, i, i, i + 9)
        y[i] = i


def test_what_does_not_fit_is_counted_and_never_invented(device_name: str, caplog: pytest.LogCaptureFixture) -> None:
    """The record that claims the last words is not written: no line is made of what lies there."""
    n, words = 20000, HEADER + 5
    assert LOG_WORDS % words > HEADER
    lines: list[sd.DebugLine] = []
    with caplog.at_level(logging.WARNING, "shaderdsl"):
        y = chatty(axes={"n": n}, device=device_name, debug=lines.append)
    np.testing.assert_array_equal(y, np.arange(n, dtype=np.uint32))
    assert len(lines) == LOG_WORDS // words
    assert {line.text for line in lines} <= {f"{i} {i} {i} {i} {i + 9}" for i in range(n)}
    assert len({line.invocation for line in lines}) == len(lines)
    assert caplog.messages == [
        f"the debug log of chatty is full: {n * words - LOG_WORDS} words of {n * words} did not fit"
    ]


def test_a_log_that_just_fits(device_name: str, caplog: pytest.LogCaptureFixture) -> None:
    n = LOG_WORDS // (HEADER + 5)
    lines: list[sd.DebugLine] = []
    chatty(axes={"n": n}, device=device_name, debug=lines.append)
    assert len(lines) == n
    assert caplog.messages == []


@sd.kernel(workgroup_size=1)
def colliding(k: sd.Kernel, debug_log: Annotated[sd.InOut[u32], "n"]) -> None:
    with k.each(debug_log.n) as i:
        k.print("i={}", i)
        debug_log[i] += 1


def test_a_buffer_of_the_users_may_have_the_logs_name(executor_name: str) -> None:
    lines: list[str] = []
    result = colliding(np.arange(2, dtype=np.uint32), device=executor_name, debug=lambda line: lines.append(line.text))
    assert result.tolist() == [1, 2]
    assert lines == ["i=0", "i=1"]


@sd.kernel(workgroup_size=(2, 2, 2))
def solid(k: sd.Kernel, y: Annotated[sd.Out[u32], "a, b, c"]) -> None:
    with k.each(y.a, y.b, y.c) as (a, b, c):
        k.print("{}{}{}", a, b, c)
        y[a, b, c] = 1


def test_invocations_are_sorted_by_their_ids(device_name: str) -> None:
    """x varies fastest, as in an invocation's number."""
    lines: list[sd.DebugLine] = []
    solid(axes={"a": 2, "b": 2, "c": 2}, device=device_name, debug=lines.append)
    assert [line.text for line in lines] == ["000", "001", "010", "011", "100", "101", "110", "111"]
    assert [line.invocation for line in lines][:3] == [(0, 0, 0), (1, 0, 0), (0, 1, 0)]


def test_an_empty_log_has_no_lines() -> None:
    collector = Collector(None, {})
    read_log(watched.trace(), np.zeros(LOG_WORDS + 1, np.uint32), collector)
    collector.finish()
    assert collector.failures == {}
    assert len(debug_statements(watched.trace())) == 3
