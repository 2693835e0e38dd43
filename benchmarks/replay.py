"""What a run of a plan costs beside its kernels: python benchmarks/replay.py [--device wgpu dawn] [--json] [--profile]

100 dependent ops of 4 KiB, not fused, on an array that stays on the device. A row says the microseconds of one op: on the host until the work is on
its way, and until it is done. `by methods`: through the methods of the driver's Python library, as a version of it would run that keeps its C functions
elsewhere. `op by op`: each op called on its own. The last rows are plans of one op beside that op. Medians of many runs, after some to warm up.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import statistics
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import shaderdsl as sd
from shaderdsl.graph import replay
from shaderdsl.runtime.submission import Commands

OPS, ELEMENTS = 100, 1024
WARM, RUNS = 0.25, 200
"""Seconds before the first timing, in which a clock that was down comes up; and runs of each row."""

double = sd.op("double", "y[i] = x[i] * 1.5 + 0.5")


def chain(x: Any) -> Any:
    for _ in range(OPS):
        x = double(x)
    return x


@contextmanager
def by_methods() -> Generator[None]:
    """Plans that do without the C functions of the libraries."""

    class Plain(Commands):
        @classmethod
        def of(cls, device: Any, dispatches: Any) -> Commands:
            return Commands(Commands.of(device, dispatches).dispatches, None, ())

    before = replay.Commands
    replay.Commands = Plain
    try:
        yield
    finally:
        replay.Commands = before


def times(run: Callable[[], Any], ops: int) -> tuple[float, float]:
    """Microseconds of an op: on the host, and until it is done."""
    begin = time.perf_counter()
    while time.perf_counter() - begin < WARM:
        run().numpy()
    host: list[float] = []
    done: list[float] = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        found = run()
        host.append(time.perf_counter() - begin)
        found.numpy()
        done.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(host) / ops, 1e6 * statistics.median(done) / ops


def stepping(device: str, function: Callable[[Any], Any], **options: Any) -> Callable[[], Any]:
    """A run that goes on with the array that the last one gave."""
    plan = sd.compile(device=device, donate=("x",), **options)(function)
    held = [sd.array(np.zeros(ELEMENTS, np.float32), device=device)]

    def run() -> Any:
        held[0] = plan(held[0])
        return held[0]

    return run


def one(x: Any) -> Any:
    return double(x)


def rows(device: str) -> dict[str, tuple[float, float]]:
    array = sd.array(np.zeros(ELEMENTS, np.float32), device=device)
    found = {"plan": times(stepping(device, chain, fusion=False), OPS)}
    with by_methods():
        found["plan, by methods"] = times(stepping(device, chain, fusion=False), OPS)
    found["plan, fused"] = times(stepping(device, chain), OPS)
    found["op by op"] = times(lambda: chain(array), OPS)
    found["plan of one op"] = times(stepping(device, one), 1)
    found["that op"] = times(lambda: double(array), 1)
    return found


def profile(device: str) -> None:
    """What is left in Python."""
    run = stepping(device, chain, fusion=False)
    for _ in range(10):
        run()
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(RUNS):
        run()
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(12)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", nargs="+", default=["wgpu", "dawn"])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--profile", action="store_true", help="where the host's time goes")
    chosen = parser.parse_args()
    devices: list[str] = chosen.device
    if chosen.profile:
        for device in devices:
            profile(device)
        return
    results = {device: rows(device) for device in devices}
    if chosen.json:
        print(json.dumps(results))
        return
    table = Table("device", "run", "us an op, host", "us an op, done")
    for device, found in results.items():
        for name, (host, done) in found.items():
            table.add_row(device, name, f"{host:.2f}", f"{done:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
