"""Odd shapes, with words around every buffer that nobody may write: forward and backward of ops, on devices and interpreted."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any, cast

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.spec.formulas import FORMULAS
from shaderdsl import f32
from shaderdsl.numeric.values import DTYPES
from shaderdsl.run_steps import Host, Interpreted
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.runtime.device import Backend, open_device
from shaderdsl.runtime.guards import Guards, guarded
from shaderdsl.schedule.step import STORED
from shaderdsl.spec.notation import Dtype
from shaderdsl.spec.shapes import bind_sizes

NAMES = ("softmax", "rms_norm", "layer_norm", "gemm", "conv1d", "embedding", "cross_entropy", "rope_split", "ssd")
SIZES = (1, 2, 3, 7, 13)
LONG = {
    "scale": "y[i] = a[i] * 2",
    "add": "y[i] = a[i] + b[i]",
    "sum": "y = sum(i) a[i] * b[i]",
    "shift": "y[t] = a[t - 3] + b[t + 1]",
    "running": "h[t] = scan(t) h[t - 1] * 0.5 + a[t] * b[t]",
    "outer": "y[i, k < 3] = a[i] * k",
    "halves": "y[i < size(i) // 2] = a[2 * i] - a[2 * i + 1]",
}
LENGTHS = (0, 1, 255, 256, 257, 509, 1021)
WIDTH, BYTE = 64, 0xA5


@contextmanager
def around(executor: str, monkeypatch: pytest.MonkeyPatch) -> Generator[Guards]:
    """Guards on a device, or around the interpreter's arrays."""
    if executor != "interpreter":
        with guarded(open_device(Backend(executor))) as guards:
            yield guards
        return
    guards, wholes = Guards(), list[tuple[Any, int]]()

    def placed(size: int, dtype: Any) -> Any:
        whole = np.full(2 * WIDTH + size * np.dtype(dtype).itemsize, BYTE, np.uint8)
        wholes.append((whole, size))
        return whole[WIDTH:-WIDTH].view(dtype)

    def make(memory: Interpreted, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        memory.arrays[name] = placed(math.prod(shape), DTYPES[STORED[dtype]])
        memory.arrays[name][:] = 0

    def give(memory: Interpreted, name: str, dtype: Dtype, array: Host | DeviceArray) -> None:
        del dtype
        host = array.host if isinstance(array, DeviceArray) else array
        assert host is not None
        memory.arrays[name] = placed(host.size, host.dtype)
        memory.arrays[name][:] = host.reshape(-1)

    monkeypatch.setattr(Interpreted, "make", make)
    monkeypatch.setattr(Interpreted, "give", give)
    yield guards
    for whole, size in wholes:
        guards.look(whole[:WIDTH], whole[-WIDTH:], size)


def results(found: Any) -> list[Any]:
    return list(cast("dict[str, Any]", found).values()) if isinstance(found, dict) else [found]


def run_both_ways(operation: Any, arguments: dict[str, Any], executor: str) -> None:
    """Right forward, and run backward."""
    for got, right in zip(results(operation(**arguments, device=executor)), results(operation.reference(**arguments))):
        np.testing.assert_allclose(got, right, rtol=1e-4, atol=1e-4)
    sizes = bind_sizes(operation.spec, {n: np.shape(a) for n, a in arguments.items() if np.ndim(a)}, {})
    incoming = {f"d_{o}": np.ones(sizes.shapes[o]) for o in operation.spec.outputs}
    known = set(operation.vjp.inputs)
    operation.vjp(**{n: a for n, a in {**arguments, **incoming}.items() if n in known}, device=executor)


@pytest.mark.parametrize("name", LONG)
def test_odd_lengths(name: str, executor_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operation = sd.op(name, LONG[name])
    random = np.random.default_rng(0)
    for length in LENGTHS:
        with around(executor_name, monkeypatch) as guards:
            arguments = {n: random.normal(size=length) for n in operation.inputs}
            run_both_ways(operation, arguments, executor_name)
        assert guards.faults == []
        assert guards.checked > len(operation.inputs)


@pytest.mark.parametrize("name", NAMES)
def test_ops_of_odd_sizes(name: str, executor_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operation = sd.op(name, FORMULAS[name].formula)
    for size in SIZES:
        arguments = FORMULAS[name].draw(np.random.default_rng(size), size)
        with around(executor_name, monkeypatch) as guards:
            operation(**arguments, device=executor_name)
        assert guards.faults == []
        assert guards.checked > 2


@sd.kernel(workgroup_size=64)
def one_further(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i + 1] = x[i]


@pytest.mark.parametrize("length", [1, 5, 256])
def test_a_store_behind_the_data_is_seen(device_name: str, length: int) -> None:
    with guarded(open_device(Backend(device_name))) as guards:
        one_further(np.arange(length, dtype=np.float32) + 1, device=device_name)
    assert len(guards.faults) == 1
    assert f"behind a buffer of {4 * length} were written" in guards.faults[0]


def test_without_guards_nothing_is_looked_at(device_name: str) -> None:
    with guarded(open_device(Backend(device_name))) as guards:
        pass
    one_further(np.ones(3, np.float32), device=device_name)
    assert guards.checked == 0
    assert open_device(Backend(device_name)).guards is None


def test_guards_in_front_are_looked_at() -> None:
    guards = Guards()
    zone = np.full(8, BYTE, np.uint8)
    changed = zone.copy()
    changed[:3] = 0
    guards.look(changed, zone, 12)
    assert guards.faults == ["3 bytes in front of a buffer of 12 were written"]
