"""Contractions beside a kernel written by hand: python benchmarks/contractions.py [CASE...] [--device wgpu] [--tiles]

Prints for each case the launches, the time, TFLOP/s, what of it the hand-written kernel reaches (PERF: tiles of 64 x 128, 8 x 8 an invocation, both
operands doubly buffered, bounds known), and GB/s of what must be moved. The hand-written kernel takes multiples of its tile only. `--tiles` times every
tile of the schedule instead; `--one-accumulator` leaves sums to one accumulator, which shows what the second costs. Each is submitted many times without a gap, after a quarter of a second of the same work, so that the clock is up.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.fused import Timed, seconds
from shaderdsl import ops
from shaderdsl.graph import plan
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Backend, open_device
from shaderdsl.schedule import contract_body
from shaderdsl.schedule.contract import contract
from shaderdsl.schedule.contract_shape import TILES, Tile
from shaderdsl.schedule.group import Group, Launch


@dataclass(frozen=True)
class Case:
    """A function of products, the shapes of its operands, and batches, rows, columns and terms of all of them."""

    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    sizes: tuple[int, int, int, int]

    @property
    def flops(self) -> int:
        batches, rows, columns, terms = self.sizes
        return 2 * batches * rows * columns * terms

    @property
    def moved(self) -> int:
        batches, rows, columns, terms = self.sizes
        return 4 * batches * (rows * terms + terms * columns + rows * columns)


def product(m: int, k: int, n: int) -> Case:
    return Case(ops.matmul, ((m, k), (k, n)), (1, m, n, k))


def linear(m: int, k: int, n: int) -> Case:
    return Case(ops.linear, ((m, k), (n, k)), (1, m, n, k))


def gated(x: Any, gate: Any, up: Any) -> Any:
    return ops.swiglu(ops.linear(x, gate), ops.linear(x, up))


def heads(x: Any, q: Any, k: Any, v: Any) -> Any:
    return ops.linear(x, q), ops.linear(x, k), ops.linear(x, v)


def activated(x: Any, w: Any, bias: Any) -> Any:
    return ops.relu(ops.linear_bias(x, w, bias))


CASES = {
    "4096": product(4096, 4096, 4096),
    "4096 linear": linear(4096, 4096, 4096),
    "8192x64x8192": product(8192, 64, 8192),
    "64x8192x64": product(64, 8192, 64),
    "1021": product(1021, 1021, 1021),
    "batched": Case(ops.batched_matmul, ((64, 512, 64), (64, 64, 512)), (64, 512, 512, 64)),
    "gemv": product(1, 4096, 4096),
    "gemv linear": linear(1, 4096, 4096),
    "4 rows": linear(4, 4096, 4096),
    "bias and relu": Case(activated, ((4096, 4096), (4096, 4096), (4096,)), (1, 4096, 4096, 4096)),
    "gate and up": Case(gated, ((4096, 4096), (4096, 4096), (4096, 4096)), (1, 4096, 8192, 4096)),
    "q, k, v": Case(heads, ((4096, 4096), (4096, 4096), (1024, 4096), (1024, 4096)), (1, 4096, 6144, 4096)),
}
ROWS, COLUMNS, DEPTH = 64, 128, 8


def by_hand(case: Case) -> str | None:
    """WGSL for one product whose sizes are multiples of the tile."""
    batches, m, n, k = case.sizes
    if case.function is not ops.matmul or batches > 1 or m % ROWS or n % COLUMNS or k % DEPTH:
        return None
    lines = [
        "@group(0) @binding(0) var<storage, read> a: array<vec4f>;",
        "@group(0) @binding(1) var<storage, read> b: array<vec4f>;",
        "@group(0) @binding(2) var<storage, read_write> c: array<vec4f>;",
        f"var<workgroup> left: array<vec4f, {2 * DEPTH * ROWS // 4}>;",
        f"var<workgroup> right: array<vec4f, {2 * DEPTH * COLUMNS // 4}>;",
        "@compute @workgroup_size(128)",
        "fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) t: u32) {",
        "  let down = t / 16u;",
        "  let across = t % 16u;",
        *(f"  var c{i}_{j} = vec4f();" for i in range(8) for j in range(2)),
        "  let row = group.y * 64u + t / 2u;",
        f"  let left_from = row * {k // 4}u + t % 2u;",
        f"  let right_from = t / 32u * {n // 4}u + group.x * 32u + t % 32u;",
        "  let left_to = t % 2u * 64u + t / 8u;",
        "  let lane = t / 2u % 4u;",
        *fetched("0u", n),
        *stored("0u"),
        "  workgroupBarrier();",
        "  var half = 0u;",
        f"  for (var k = {DEPTH}u; k < {k}u; k += {DEPTH}u) {{",
        *fetched("k", n),
        *multiplied(),
        "  half = 1u - half;",
        *stored("half"),
        "  workgroupBarrier();",
        "  }",
        *multiplied(),
        *(
            f"  c[(group.y * 64u + {i // 4 * 32 + i % 4}u + down * 4u) * {n // 4}u + group.x * 32u + {j * 16}u + across] = c{i}_{j};"
            for i in range(8)
            for j in range(2)
        ),
        "}",
    ]
    return "\n".join(lines)


def fetched(k: str, n: int) -> list[str]:
    return [
        f"  let l = a[left_from + {k} / 4u];",
        f"  let r0 = b[right_from + {k} * {n // 4}u];",
        f"  let r1 = b[right_from + ({k} + 4u) * {n // 4}u];",
    ]


def stored(half: str) -> list[str]:
    """The left operand is stored transposed, one component of a vector each."""
    return [
        *(f"  left[{half} * 128u + left_to + {16 * i}u][lane] = l.{axis};" for i, axis in enumerate("xyzw")),
        f"  right[{half} * 256u + t] = r0;",
        f"  right[{half} * 256u + t + 128u] = r1;",
    ]


def multiplied() -> list[str]:
    lines: list[str] = ["  {"]
    for k in range(DEPTH):
        lines += [f"  let a{k}_{i} = left[half * 128u + {k * 16 + i * 8}u + down];" for i in range(2)]
        lines += [f"  let b{k}_{j} = right[half * 256u + {k * 32 + j * 16}u + across];" for j in range(2)]
        lines += [
            f"  c{i}_{j} = fma(vec4f(a{k}_{i // 4}.{'xyzw'[i % 4]}), b{k}_{j}, c{i}_{j});"
            for i in range(8)
            for j in range(2)
        ]
    return [*lines, "  }"]


def hand_seconds(case: Case, timed: Timed, arrays: dict[str, Any], text: str) -> float:
    """The time of the hand-written kernel on the same arrays; its result is compared with the plan's."""
    raw: Any = timed.device.raw
    module = raw.create_shader_module(code=text)
    pipeline = raw.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
    out = DeviceBuffer.allocate(timed.device, 4 * case.sizes[1] * case.sizes[2])
    first = [DeviceBuffer.allocate(timed.device, x.nbytes) for x in arrays.values()]
    for buffer, x in zip(first, arrays.values()):
        raw.queue.write_buffer(buffer.raw, 0, x)
    entries = [
        {"binding": n, "resource": {"buffer": b.raw, "offset": 0, "size": b.raw.size}}
        for n, b in enumerate((*first, out))
    ]
    group = raw.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)

    def encode(count: int) -> None:
        encoder = raw.create_command_encoder()
        encoding = encoder.begin_compute_pass()
        encoding.set_pipeline(pipeline)
        encoding.set_bind_group(0, group)
        for _ in range(count):
            encoding.dispatch_workgroups(case.sizes[2] // COLUMNS, case.sizes[1] // ROWS, 1)
        encoding.end()
        raw.queue.submit([encoder.finish()])

    found = seconds(timed.device, encode, out)
    head = out.download(np.dtype(np.float32), (case.sizes[1], case.sizes[2]))[:8]
    a, b = arrays.values()
    exact = a[:8].astype(np.float64) @ b
    if np.linalg.norm(head - exact) > 1e-5 * np.linalg.norm(exact):
        raise SystemExit("the hand-written kernel is wrong")
    for buffer in (*first, out):
        buffer.free()
    return found


def own_seconds(case: Case, arrays: dict[str, Any], backend: Backend) -> tuple[Timed, float]:
    def function(**given: Any) -> Any:
        return case.function(*given.values())

    timed = Timed(function, arrays, backend)
    return timed, seconds(timed.device, timed.encode, timed.buffers[timed.planned.launches[-1].writes[0]])


def released(timed: Timed) -> None:
    for buffer in timed.buffers.values():
        buffer.free()


def report(name: str, backend: Backend) -> None:
    """One case and its hand-written kernel."""
    case = CASES[name]
    arrays = drawn(case)
    timed, own = own_seconds(case, arrays, backend)
    text = by_hand(case)
    hand = hand_seconds(case, timed, arrays, text) if text is not None else None
    beside = f"{case.flops / hand / 1e12:8.2f} {hand / own:8.3f}" if hand is not None else f"{'-':>8} {'-':>8}"
    print(
        f"{name:14} {len(timed.steps):8} {own * 1e6:10.1f} {case.flops / own / 1e12:8.2f} {beside} {case.moved / own / 1e9:8.0f}",
        flush=True,
    )
    released(timed)


def drawn(case: Case) -> dict[str, Any]:
    random = np.random.default_rng(0)
    return {n: random.standard_normal(s, np.float32) for n, s in zip("abcd", case.shapes)}


def report_tiles(name: str, backend: Backend) -> None:
    """Every tile of the schedule on one case."""
    case = CASES[name]
    arrays = drawn(case)
    print(name)
    for tile in TILES:
        with_tile(tile)
        timed, own = own_seconds(case, arrays, backend)
        print(
            f"  {tile.rows:4} x {tile.columns:4} x {tile.depth:3} of {tile.height:2} x {tile.width:2}: {case.flops / own / 1e12:8.2f} TFLOP/s {own * 1e6:10.1f} us",
            flush=True,
        )
        released(timed)


def with_tile(tile: Tile) -> None:
    """Schedules contractions with that tile from now on."""

    def tiled(group: Group) -> Launch:
        return contract(group, tile)

    plan.contract = tiled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=[*CASES])
    parser.add_argument("--device", default="wgpu", choices=[b.value for b in Backend])
    parser.add_argument("--tiles", action="store_true")
    parser.add_argument("--one-accumulator", action="store_true")
    options = parser.parse_args()
    if options.one_accumulator:
        contract_body.RUN = 2**30
    backend = Backend(options.device)
    print(open_device(backend).adapter.summary)
    if not options.tiles:
        print(f"{'case':14} {'launches':>8} {'us':>10} {'TFLOP/s':>8} {'by hand':>8} {'ratio':>8} {'GB/s':>8}")
    for name in options.cases:
        (report_tiles if options.tiles else report)(name, backend)


if __name__ == "__main__":
    main()
