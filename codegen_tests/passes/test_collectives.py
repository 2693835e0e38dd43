"""lower_collectives: the shared-memory form gives the bits of the direct one, for every operation, type and size, on every device."""
# pyright: reportInvalidTypeForm=false, reportUnknownParameterType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# one kernel is made for each element type: a checker does not follow that

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.passes.running import body_text, functions_text, results, same_bits
from shaderdsl import f16, f32, i32, u32
from shaderdsl.ir.stmt import Collective, CollectiveOp
from shaderdsl.ir.walk import statements, with_blocks
from shaderdsl.passes.collectives import lower_collectives
from shaderdsl.passes.functions import on_blocks
from shaderdsl.passes.pipeline import run

SIZES = [1, 2, 3, 31, 64, 255, 256]
DTYPES: dict[Any, Any] = {f32: np.float32, f16: np.float16, i32: np.int32, u32: np.uint32}
ROWS = 3


def numbers(element: Any, size: int) -> sd.KernelProgram:
    @sd.kernel(workgroup_size=size)
    def made(
        k: sd.Kernel, x: Annotated[sd.In[element], "rows, size"], out: Annotated[sd.Out[element], "6, rows, size"]
    ) -> None:
        with k.each_group(x.rows) as row:
            lane = k.local_index
            value: Any = x[row, lane]
            out[0, row, lane] = k.group_sum(value)
            out[1, row, lane] = k.group_max(value)
            out[2, row, lane] = k.group_min(value)
            out[3, row, lane] = k.group_inclusive_scan(value)
            out[4, row, lane] = k.group_exclusive_scan(value)
            out[5, row, lane] = k.group_broadcast(value, row % size)

    return made


def votes(size: int) -> sd.KernelProgram:
    @sd.kernel(workgroup_size=size)
    def made(
        k: sd.Kernel, x: Annotated[sd.In[u32], "rows, size"], out: Annotated[sd.Out[u32], "3, rows, size"]
    ) -> None:
        with k.each_group(x.rows) as row:
            lane = k.local_index
            flag = x[row, lane] != 0
            out[0, row, lane] = k.group_any(flag).u32
            out[1, row, lane] = k.group_all(flag).u32
            out[2, row, lane] = k.group_broadcast(flag, size - 1).u32

    return made


def data(element: Any, size: int) -> np.ndarray:
    """Values whose sums depend on their order, where there are any."""
    rng = np.random.default_rng(size)
    if element in (f32, f16):
        return (rng.standard_normal((ROWS, size)) * 10).astype(DTYPES[element])
    return rng.integers(0, 2**32, (ROWS, size), dtype=np.uint32).view(DTYPES[element])


def flags(size: int) -> np.ndarray:
    made = np.zeros((4, size), np.uint32)
    made[0] = 1
    made[1, size // 2] = 1
    made[2, : size - 1] = 1
    return made


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("element", list(DTYPES), ids=lambda e: e.__name__)
def test_numbers_lowered_and_direct_are_the_same_bits(element: Any, size: int) -> None:
    program, x = numbers(element, size), data(element, size)
    lowered = run(program.trace(), [lower_collectives])
    assert not any(isinstance(s, Collective) for s in statements(lowered.body))
    direct = results(program, program.trace(), {"x": x})
    assert same_bits(direct, results(program, lowered, {"x": x}))
    assert same_bits(direct, results(program, program.lowered(), {"x": x}))
    np.testing.assert_array_equal(direct["out"][1], np.broadcast_to(x.max(1, keepdims=True), x.shape))
    np.testing.assert_array_equal(direct["out"][2], np.broadcast_to(x.min(1, keepdims=True), x.shape))
    np.testing.assert_array_equal(direct["out"][4][:, 1:], direct["out"][3][:, :-1])
    np.testing.assert_array_equal(direct["out"][5][1], np.full(size, x[1, 1 % size]))
    if element in (i32, u32):
        np.testing.assert_array_equal(direct["out"][3], np.cumsum(x, axis=1, dtype=x.dtype))
        np.testing.assert_array_equal(direct["out"][0], direct["out"][3][:, -1:].repeat(size, 1))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("element", list(DTYPES), ids=lambda e: e.__name__)
def test_numbers_on_devices(element: Any, size: int) -> None:
    """The order of additions is the program's, so floats agree to the bit."""
    program, x = numbers(element, size), data(element, size)
    expected = program(x, device="interpreter")
    for device in ("wgpu",) if element is f16 else ("wgpu", "dawn"):
        assert program(x, device=device).tobytes() == expected.tobytes(), device


@pytest.mark.parametrize("size", SIZES)
def test_votes(executor_name: str, size: int) -> None:
    program, x = votes(size), flags(size)
    direct = results(program, program.trace(), {"x": x})
    assert same_bits(direct, results(program, run(program.trace(), [lower_collectives]), {"x": x}))
    got = program(x, device=executor_name)
    np.testing.assert_array_equal(got[0], np.broadcast_to(x.any(1, keepdims=True), x.shape))
    np.testing.assert_array_equal(got[1], np.broadcast_to(x.all(1, keepdims=True), x.shape))
    np.testing.assert_array_equal(got[2], np.broadcast_to(x[:, -1:], x.shape))


def test_vectors_are_broadcast(executor_name: str) -> None:
    @sd.kernel(workgroup_size=4)
    def shared(
        k: sd.Kernel, x: Annotated[sd.In[sd.vec3f], "rows, 4"], y: Annotated[sd.Out[sd.vec3f], "rows, 4"]
    ) -> None:
        with k.each_group(x.rows) as row:
            y[row, k.local_index] = k.group_broadcast(x[row, k.local_index], 2)

    x = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    np.testing.assert_array_equal(shared(x, device=executor_name), np.repeat(x[:, 2:3], 4, axis=1))


@sd.kernel(workgroup_size=4)
def repeated(k: sd.Kernel, x: Annotated[sd.In[f32], "rows, 4"], y: Annotated[sd.Out[f32], "rows, 4"]) -> None:
    """The scratch is used again and again, in loops, with no barrier of the user's in between."""
    with k.each_group(x.rows) as row:
        value = k.var(x[row, k.local_index])
        for _ in k.range(3):
            total = k.group_sum(value.value)
            value.value = value.value + k.group_max(total - value.value)
        y[row, k.local_index] = k.group_exclusive_scan(value.value) + k.group_sum(value.value)


REPEATED = """\
  %0: u32 = input.workgroup_id.y * input.num_workgroups.x
  %row: u32 = input.workgroup_id.x + %0
  %1: bool = %row >= param.rows
  if %1
    return
  %2: u32 = %row * 4u
  %3: u32 = %2 + input.local_invocation_index
  %4: f32 = @x[%3]
  var @value: f32 = %4
  for %_: u32 in range(0u, 3u, 1u)
    %5: f32 = @value
    %total: f32 = $group_sum_f32(%5, input.local_invocation_index)
    %6: f32 = @value
    %7: f32 = @value
    %8: f32 = %total - %7
    %9: f32 = $group_max_f32(%8, input.local_invocation_index)
    %10: f32 = %6 + %9
    @value = %10
  %11: f32 = @value
  %12: f32 = $group_exclusive_scan_f32(%11, input.local_invocation_index)
  %13: f32 = @value
  %14: f32 = $group_sum_f32(%13, input.local_invocation_index)
  %15: f32 = %12 + %14
  %16: u32 = %row * 4u
  %17: u32 = %16 + input.local_invocation_index
  @y[%17] = %15
"""
HELPERS = """\
function $group_sum_f32(%value: f32, %index: u32) -> f32 impure
  @group_scratch_f32[%index] = %value
  workgroupBarrier()
  if %index < 1u
    @group_scratch_f32[%index] = (@group_scratch_f32[%index] + @group_scratch_f32[%index + 2u]) + (@group_scratch_f32[%index + 1u] + @group_scratch_f32[%index + 3u])
  workgroupBarrier()
  %result: f32 = workgroupUniformLoad(@group_scratch_f32[0u])
  return %result
function $group_max_f32(%value: f32, %index: u32) -> f32 impure
  @group_scratch_f32[%index] = %value
  workgroupBarrier()
  if %index < 1u
    @group_scratch_f32[%index] = max(max(@group_scratch_f32[%index], @group_scratch_f32[%index + 2u]), max(@group_scratch_f32[%index + 1u], @group_scratch_f32[%index + 3u]))
  workgroupBarrier()
  %result: f32 = workgroupUniformLoad(@group_scratch_f32[0u])
  return %result
function $group_exclusive_scan_f32(%value: f32, %index: u32) -> f32 impure
  @group_scratch_f32[%index] = %value
  workgroupBarrier()
  var @total: f32 = %value
  var @stride: u32 = 1u
  loop
    %step: u32 = @stride
    if %step >= 4u
      break
    if %index >= %step
      @total = @group_scratch_f32[%index - %step] + @total
    workgroupBarrier()
    %own: f32 = @total
    @group_scratch_f32[%index] = %own
    workgroupBarrier()
    @stride = %step * 2u
  if %index == 0u
    @total = 0.0f
  else
    @total = @group_scratch_f32[%index - 1u]
  workgroupBarrier()
  return @total
"""


def test_before_and_after() -> None:
    after = lower_collectives(repeated.trace())
    assert body_text(after) == REPEATED
    assert functions_text(after) == HELPERS
    assert [v.name for v in after.shared] == ["group_scratch_f32"]


def test_scratch_is_safe_between_calls(executor_name: str) -> None:
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    expected = results(repeated, repeated.trace(), {"x": x})["y"]
    np.testing.assert_array_equal(repeated(x, device=executor_name), expected)


def test_a_kernel_without_collectives_is_left_alone() -> None:
    @sd.kernel
    def none(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
        with k.each(y.n) as i:
            y[i] = f32(1)

    assert lower_collectives(none.trace()) is none.trace()


def swapped(program: sd.KernelProgram, spoil: Callable[[CollectiveOp], CollectiveOp]) -> Any:
    """The traced kernel with other operations in its collectives."""

    def one(stmt: Any) -> Any:
        return replace(stmt, op=spoil(stmt.op)) if isinstance(stmt, Collective) else with_blocks(stmt, block)

    def block(stmts: Any) -> Any:
        return tuple(one(s) for s in stmts)

    return on_blocks(program.trace(), block)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (CollectiveOp.SUM, CollectiveOp.MAX),
        (CollectiveOp.MAX, CollectiveOp.MIN),
        (CollectiveOp.INCLUSIVE_SCAN, CollectiveOp.EXCLUSIVE_SCAN),
    ],
)
def test_a_wrong_operation_is_seen(right: CollectiveOp, wrong: CollectiveOp) -> None:
    program, x = numbers(i32, 31), data(i32, 31)
    spoiled = lower_collectives(swapped(program, lambda op: wrong if op is right else op))
    assert not same_bits(results(program, program.trace(), {"x": x}), results(program, spoiled, {"x": x}))
