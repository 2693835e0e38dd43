"""What a launch promises of drivers: one compilation a pipeline, many threads, errors at the Python line, limits refused before a driver sees anything."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f16, f32, program, u32
from shaderdsl.errors import DeviceError
from shaderdsl.runtime import launch as launching
from shaderdsl.runtime.device import Device, best_backend
from shaderdsl.wgsl.module import Dialect
from shaderdsl.wgsl.shader import Shader

N = 100
NUMBERS = itertools.count()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The entry points that were compiled while the test ran."""
    seen: list[str] = []
    plain = launching.compile_pipeline

    def spy(device: Device, shader: Shader) -> launching.Pipeline:
        seen.append(shader.entry_point)
        return plain(device, shader)

    monkeypatch.setattr(launching, "compile_pipeline", spy)
    return seen


def scaling() -> sd.KernelProgram:
    """A kernel whose entry point no other test has, so that no pipeline is there yet."""

    @sd.kernel(entry_point=f"scaling_{next(NUMBERS)}")
    def made(
        k: sd.Kernel,
        x: Annotated[sd.In[f32], "n"],
        y: Annotated[sd.Out[f32], "n"],
        a: sd.Param[f32],
        times: sd.Static[int] = 1,
    ) -> None:
        with k.each(x.n) as i:
            value = x[i]
            for _ in range(times):
                value = value * a
            y[i] = value

    return made


X = np.arange(N, dtype=np.float32)


def test_sizes_and_parameters_compile_nothing_new(device_name: str, compiled: list[str]) -> None:
    kernel = scaling()
    for n in (0, 1, 64, 100):
        for a in (0.5, 2, -1.0):
            np.testing.assert_array_equal(kernel(X[:n], a=a, device=device_name), X[:n] * np.float32(a))
    assert len(compiled) == 1


def test_static_arguments_compile_once_each(device_name: str, compiled: list[str]) -> None:
    kernel = scaling()
    for times in (1, 2, 3, 2, 1):
        np.testing.assert_array_equal(kernel(X, a=2, times=times, device=device_name), X * np.float32(2**times))
    assert len(compiled) == 3


def test_one_text_is_one_pipeline(device_name: str, compiled: list[str]) -> None:
    """Two programs of one source share the pipeline: it is keyed by what the driver sees."""

    def make() -> sd.KernelProgram:
        @sd.kernel(entry_point="shared_by_two")
        def same(k: sd.Kernel, y: Annotated[sd.Out[f32], "4"]) -> None:
            with k.each(4) as i:
                y[i] = i.f32

        return same

    for kernel in (make(), make()):
        assert kernel(device=device_name).tolist() == [0, 1, 2, 3]
    assert compiled.count("shared_by_two") == 1


def in_threads(count: int, work: Callable[[int], object]) -> list[BaseException]:
    """Run `work(0)` to `work(count - 1)` at once; what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(count)

    def body(number: int) -> None:
        try:
            start.wait()
            work(number)
        except (AssertionError, ArithmeticError, sd.ShaderError, sd.InternalError) as error:
            raised.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_results_from_threads_at_once(executor_name: str, compiled: list[str]) -> None:
    """Each thread with its own parameter and size; uniforms do not mix; one text is compiled once."""
    kernel = scaling()

    def work(number: int) -> None:
        for turn in range(10):
            x = X[: N - number]
            got = kernel(x, a=float(number * 16 + turn), device=executor_name)
            np.testing.assert_array_equal(got, x * np.float32(number * 16 + turn))

    assert in_threads(4, work) == []
    assert len(compiled) == (executor_name != "interpreter")


def test_threads_that_fail_are_noticed() -> None:
    assert [type(e) for e in in_threads(2, lambda number: 1 // number)] == [ZeroDivisionError]


def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Emission that calls a function that does not exist."""
    plain = program.emit

    def emit(kernel: Any, dialect: Dialect) -> Shader:
        shader = plain(kernel, dialect)
        return replace(shader, text=shader.text.replace("sqrt(", "squirt("))

    monkeypatch.setattr(program, "emit", emit)


def test_a_driver_error_names_the_python_line(device_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch)

    @sd.kernel
    def faulty(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
        with k.each(x.n) as i:
            y[i] = x[i] * 2
            y[i] = sd.sqrt(x[i])

    with pytest.raises(sd.DriverError) as caught:
        faulty(X, device=device_name)
    compiler = {"wgpu": "naga", "dawn": "tint"}[device_name]
    assert caught.value.message == f"{compiler} refused the WGSL of 'faulty'"
    assert caught.value.loc is not None
    span = caught.value.loc.span()
    assert (span.path, span.source.strip()) == (__file__, "y[i] = sd.sqrt(x[i])")
    assert "squirt" in caught.value.notes[0]


@sd.kernel(workgroup_size=512)
def crowded(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = f32(1)


@sd.kernel(workgroup_size=(1, 1, 128))
def deep(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each_group(y.n) as i:
        y[i] = f32(1)


@sd.kernel
def wide(
    k: sd.Kernel,
    a: Annotated[sd.In[f32], "n"],
    b: Annotated[sd.In[f32], "n"],
    c: Annotated[sd.In[f32], "n"],
    d: Annotated[sd.In[f32], "n"],
    e: Annotated[sd.In[f32], "n"],
    f: Annotated[sd.In[f32], "n"],
    g: Annotated[sd.In[f32], "n"],
    h: Annotated[sd.In[f32], "n"],
    y: Annotated[sd.Out[f32], "n"],
) -> None:
    with k.each(y.n) as i:
        y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]


@sd.kernel(workgroup_size=64)
def hoarding(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    tile = k.shared(f32, 5 * 1024)
    with k.each_group(y.n) as i:
        tile[k.local_index] = f32(1)
        k.barrier()
        y[i] = tile[0]


LIMITS: list[tuple[sd.KernelProgram, int, str]] = [
    (crowded, 0, "workgroup size 512 on axis x, the limit is 256"),
    (deep, 0, "workgroup size 128 on axis z, the limit is 64"),
    (wide, 8, "9 storage buffers, the limit is 8"),
    (hoarding, 0, "shared memory takes 20480 bytes, the limit is 16384"),
]


@pytest.mark.parametrize(("kernel", "inputs", "message"), LIMITS, ids=[k.__name__ for k, _, _ in LIMITS])
def test_limits_come_before_the_driver(
    kernel: sd.KernelProgram, inputs: int, message: str, device_name: str, compiled: list[str]
) -> None:
    with pytest.raises(sd.LimitError) as caught:
        kernel(*[np.ones(3, np.float32)] * inputs, device=device_name, axes={} if inputs else {"n": 3})
    assert caught.value.message == message
    assert compiled == []
    assert caught.value.loc is not None
    assert caught.value.loc.span().path == __file__


@pytest.mark.parametrize(("kernel", "inputs", "message"), LIMITS, ids=[k.__name__ for k, _, _ in LIMITS])
def test_the_interpreter_has_no_such_limits(kernel: sd.KernelProgram, inputs: int, message: str) -> None:
    del message
    result = kernel(*[np.ones(3, np.float32)] * inputs, device="interpreter", axes={} if inputs else {"n": 3})
    assert result.tolist() == [max(inputs, 1.0)] * 3


@sd.kernel
def halves(k: sd.Kernel, x: Annotated[sd.In[f16], "n"], y: Annotated[sd.Out[f16], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] + 1


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 65])
@pytest.mark.parametrize("executor", ["wgpu", "interpreter"])
def test_halves_in_odd_numbers(executor: str, n: int) -> None:
    x = np.arange(n, dtype=np.float16)
    np.testing.assert_array_equal(halves(x, device=executor), x + np.float16(1), strict=True)


def test_halves_where_there_are_none() -> None:
    with pytest.raises(DeviceError, match="has no shader-f16"):
        halves(np.ones(2, np.float16), device="dawn")


@pytest.mark.parametrize("choice", ["wgpu", "dawn", "interpreter", "wgpu:llvmpipe"])
def test_the_environment_chooses_the_device(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHADERDSL_DEVICE", choice)
    kind = choice.partition(":")[0]
    assert sd.array(X).device == kind
    best = best_backend()
    assert (best.value if best else "interpreter") == kind
    np.testing.assert_array_equal(scaling()(X, a=2.0), X * 2)


def test_a_choice_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHADERDSL_DEVICE", "cuda")
    with pytest.raises(DeviceError, match="unknown device 'cuda'"):
        scaling()(X, a=2.0)


@sd.kernel
def poked(k: sd.Kernel, x: Annotated[sd.In[u32], "n"], y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(x.n) as i, k.if_(x[i] > 2):
        y[i] = x[i]


def test_outputs_that_nobody_writes_are_zero(executor_name: str) -> None:
    """A fresh buffer is never what an earlier launch left."""
    x = np.arange(6, dtype=np.uint32)
    for _ in range(3):
        assert poked(x, device=executor_name).tolist() == [0, 0, 0, 3, 4, 5]
