"""Trace, passes and emission against the size of a kernel: python benchmarks/compile_time.py [--json]

The limit is linear time. Each size is compiled several times and the fastest is shown; the last column is the time per statement
over that of a kernel ten times smaller, 1.00 where growth is linear.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from codegen_tests.scale.sized import SHAPES
from shaderdsl.program import KernelProgram
from shaderdsl.quickstart.attention import attention

SIZES = (10, 100, 1000, 10000)
REPEATS = 3
Times = tuple[float, float, float]


def once(program: KernelProgram) -> Times:
    """Seconds of trace, passes and emission of a fresh program."""
    marks = [time.perf_counter()]
    for step in (program.trace, program.lowered, program.shader):
        step()
        marks.append(time.perf_counter())
    return (marks[1] - marks[0], marks[2] - marks[1], marks[3] - marks[2])


def measure(name: str, size: int) -> Times:
    """The fastest of a few runs, each on a kernel of its own."""
    return min((once(SHAPES[name](size)) for _ in range(REPEATS)), key=sum)


def attention_after_the_first() -> float:
    """Milliseconds from Python to WGSL for the quickstart's attention, once everything is loaded."""
    runs = [sum(once(KernelProgram(attention._function, attention._options))) for _ in range(REPEATS + 1)]
    return 1000 * min(runs[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    wants_json: bool = parser.parse_args().json
    results = {name: {size: measure(name, size) for size in SIZES} for name in SHAPES}
    milliseconds = attention_after_the_first()
    if wants_json:
        rows = {n: {str(s): [1000 * t for t in times] for s, times in sizes.items()} for n, sizes in results.items()}
        print(json.dumps({"milliseconds": rows, "attention": milliseconds}))
        return
    table = Table("kernel", "statements", "trace ms", "passes ms", "emission ms", "us a statement", "growth")
    for name, sizes in results.items():
        before = None
        for size, times in sizes.items():
            each = sum(times) / size
            growth = "" if before is None else f"{each / before:.2f}"
            table.add_row(name, str(size), *(f"{1000 * t:.2f}" for t in times), f"{1e6 * each:.0f}", growth)
            before = each
    console = Console()
    console.print(table)
    console.print(f"attention, from Python to WGSL after the first time: {milliseconds:.1f} ms (limit 30)")


if __name__ == "__main__":
    main()
