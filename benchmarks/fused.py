"""Kernels that fusion makes, beside the device's own copy: python benchmarks/fused.py [CASE...] [--device wgpu]

Prints, beside torch where it is installed (torch.compile, CUDA), for each case, the launches, the bytes that they must move, the time and the bandwidth, and its ratio to a buffer copy timed beside it.
Each is submitted many times in one command buffer, after a quarter of a second of the same work, so that the clock is up.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.execute import fold, uniform_bytes
from shaderdsl.graph.run import Shaders, params_of
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Backend, open_device
from shaderdsl.runtime.launch import entry, pipeline_of

N, M = 8192, 4096
SECONDS = 0.25


def stream(x: Any) -> Any:
    return x * 2.0 + 1.0


def chain(x: Any) -> Any:
    return ops.tanh(ops.gelu(x) * 2.0 + x)


def softmax(x: Any) -> Any:
    return ops.softmax(x)


def softmax_backward(x: Any, d: Any) -> Any:
    return ops.softmax.vjp(x=x, d_y=d)


def rms_norm(x: Any, g: Any) -> Any:
    return ops.rms_norm(x, g, eps=1e-6)


def rms_norm_backward(x: Any, g: Any, d: Any) -> Any:
    return ops.rms_norm.vjp(x=x, g=g, eps=1e-6, d_y=d)


def layer_norm(x: Any, g: Any) -> Any:
    return ops.layer_norm_affine(x, g, g, eps=1e-5)


def layer_norm_backward(x: Any, g: Any, d: Any) -> Any:
    return ops.layer_norm_affine.vjp(x=x, g=g, b=g, eps=1e-5, d_y=d)


def total(x: Any) -> Any:
    return sd.op("total", "s = sum(i, j) x[i, j]")(x)


def column_total(x: Any) -> Any:
    return sd.op("columns", "s[j] = sum(i) x[i, j]")(x)


def cross_entropy(x: Any, labels: Any) -> Any:
    loss = ops.cross_entropy(x, labels)
    return loss, sd.grad(loss, x)


ROWS: dict[str, tuple[Callable[..., Any], str]] = {
    "stream": (stream, "x"),
    "chain": (chain, "x"),
    "softmax": (softmax, "x"),
    "softmax.vjp": (softmax_backward, "xd"),
    "rms_norm": (rms_norm, "xg"),
    "rms_norm.vjp": (rms_norm_backward, "xgd"),
    "layer_norm": (layer_norm, "xg"),
    "layer_norm.vjp": (layer_norm_backward, "xgd"),
    "sum": (total, "x"),
    "column_sum": (column_total, "x"),
}


def case(name: str) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A function of tensors and its arguments: rows of M, but for the classes of a language model."""
    if name == "cross_entropy":
        return cross_entropy, {"x": np.zeros((512, 50000), np.float32), "labels": np.zeros(512, np.int32)}
    if name not in ROWS:
        raise SystemExit(f"there is no case {name}: {', '.join(CASES)}")
    function, arguments = ROWS[name]
    known = {"x": np.zeros((N, M), np.float32), "g": np.ones(M, np.float32), "d": np.zeros((N, M), np.float32)}
    return function, {a: known[a] for a in arguments}


CASES = (*ROWS, "cross_entropy")


class Timed:
    """The launches of a plan with their buffers, ready to be encoded."""

    def __init__(self, function: Callable[..., Any], arguments: dict[str, Any], backend: Backend) -> None:
        self.device = open_device(backend)
        plan = sd.compile(device=backend.value)(function)
        plan(**{n: sd.array(a, device=backend.value) for n, a in arguments.items()})
        planned = self.planned = plan.planned
        shaders = Shaders()
        buffers: dict[str, DeviceBuffer] = {}
        self.steps: list[tuple[Any, Any, tuple[int, int, int]]] = []
        for launch in planned.launches:
            for name in (*launch.reads, *launch.writes):
                if name not in buffers:
                    buffers[name] = DeviceBuffer.allocate(self.device, max(planned.size(name), 16))
            shader = shaders.of(launch, backend)
            pipeline = pipeline_of(self.device, shader)
            packed = uniform_bytes(launch.kernel, params_of(launch.kernel, {})) or b""
            for raw in pipeline.uniforms.values():
                self.device.raw.queue.write_buffer(raw, 0, np.frombuffer(packed, np.uint8))
            bound = {b.variable.name: buffers[n] for n, b in launch.bound.items()}
            entries = [entry(b, bound, pipeline.uniforms) for b in shader.bindings]
            group = self.device.raw.create_bind_group(layout=pipeline.layouts[0], entries=entries)
            self.steps.append((pipeline.raw, group, fold(launch.groups)))
        self.buffers = buffers

    def encode(self, count: int) -> None:
        encoder = self.device.raw.create_command_encoder()
        encoding = encoder.begin_compute_pass()
        for _ in range(count):
            for pipeline, group, grid in self.steps:
                encoding.set_pipeline(pipeline)
                encoding.set_bind_group(0, group)
                encoding.dispatch_workgroups(*grid)
        encoding.end()
        self.device.raw.queue.submit([encoder.finish()])

    @property
    def least_bytes(self) -> int:
        """What must be moved: each argument read once and each result written once."""
        planned = self.planned
        inputs = {i.name for i in planned.flat.spec.inputs if i.name in planned.flat.shapes}
        return sum(planned.size(n) for n in {*inputs, *planned.flat.spec.outputs})


def waited(device: Any, buffer: DeviceBuffer) -> None:
    device.raw.queue.read_buffer(buffer.raw, 0, 16)


def seconds(device: Any, encode: Callable[[int], None], buffer: DeviceBuffer) -> float:
    """The median time of one turn."""
    count, own, start = 10, 0.0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        own = once(device, encode, buffer, count)
        count = min(count * 2, 2000) if own * count < SECONDS / 4 else count
    return statistics.median(once(device, encode, buffer, count) for _ in range(7))


def once(device: Any, encode: Callable[[int], None], buffer: DeviceBuffer, count: int) -> float:
    """The time of one of several turns in one submission, less that of an empty one."""
    start = time.perf_counter()
    waited(device, buffer)
    empty = time.perf_counter()
    encode(count)
    waited(device, buffer)
    return (time.perf_counter() - empty - (empty - start)) / count


def copy_seconds(device: Any, size: int) -> float:
    """A buffer copy of that many bytes, read and written: half of them each."""
    half = max(size // 2 // 16 * 16, 16)
    source, target = DeviceBuffer.allocate(device, half), DeviceBuffer.allocate(device, half)

    def encode(count: int) -> None:
        encoder = device.raw.create_command_encoder()
        for _ in range(count):
            encoder.copy_buffer_to_buffer(source.raw, 0, target.raw, 0, half)
        device.raw.queue.submit([encoder.finish()])

    found = seconds(device, encode, target)
    source.free()
    target.free()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=CASES)
    parser.add_argument("--device", default="wgpu", choices=[b.value for b in Backend])
    options = parser.parse_args()
    backend = Backend(options.device)
    print(open_device(backend).adapter.summary)
    print(f"{'case':16} {'launches':>8} {'MB':>8} {'us':>9} {'GB/s':>8} {'of copy':>8}")
    for name in options.cases:
        timed = Timed(*case(name), backend)
        own = seconds(timed.device, timed.encode, timed.buffers[timed.planned.launches[-1].writes[0]])
        size = timed.least_bytes
        copy = copy_seconds(timed.device, min(size, 2**28))
        rate, copied = size / own / 1e9, min(size, 2**28) / copy / 1e9
        print(
            f"{name:16} {len(timed.steps):8} {size / 1e6:8.1f} {own * 1e6:9.1f} {rate:8.1f} {rate / copied:8.3f}",
            flush=True,
        )
        for buffer in timed.buffers.values():
            buffer.free()


if __name__ == "__main__":
    main()
