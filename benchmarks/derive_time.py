"""Backwards of the whole library in a fresh Python: derived cold, and read from their records: python benchmarks/derive_time.py [--json]

The limit is 60 seconds for deriving all of them cold, sympy's import with them. Each figure is the fastest of a few processes; the slowest
ops are listed with their own times.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table

LIMIT = 60.0
REPEATS = 3
LISTED = 8

COLD = """
import json, time
begin = time.perf_counter()
import sympy
marks = {"import sympy": time.perf_counter() - begin}
import shaderdsl as sd
from shaderdsl.ops import definitions
made = [sd.op(d.name, d.formula) for d in definitions().values() if not d.without]
for op in made:
    begin = time.perf_counter()
    op.vjp.spec
    marks[op.name] = time.perf_counter() - begin
begin = time.perf_counter()
for op in made:
    op.vjp.spec
marks["again"] = time.perf_counter() - begin
print(json.dumps(marks))
"""
RECORDED = """
import json, sys, time
from shaderdsl import ops
begin = time.perf_counter()
for d in ops.definitions().values():
    if not d.without:
        getattr(ops, d.name).vjp.spec
assert "sympy" not in sys.modules
print(json.dumps({"read": time.perf_counter() - begin}))
"""


def fresh(program: str) -> tuple[float, dict[str, float]]:
    """Seconds of the fastest of a few processes from start to end, and what it measured inside."""
    runs: list[tuple[float, dict[str, float]]] = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        marks: dict[str, float] = json.loads(done.stdout)
        runs.append((time.perf_counter() - begin, marks))
    return min(runs, key=lambda run: run[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    wants_json: bool = parser.parse_args().json
    cold, derived = fresh(COLD)
    recorded, read = fresh(RECORDED)
    loading, again = derived.pop("import sympy"), derived.pop("again")
    content: dict[str, Any] = {
        "ok": cold < LIMIT,
        "ops": len(derived),
        "cold_seconds": cold,
        "import_sympy_seconds": loading,
        "derive_seconds": sum(derived.values()),
        "again_seconds": again,
        "recorded_seconds": recorded,
        "read_seconds": read["read"],
        "slowest_seconds": dict(sorted(derived.items(), key=lambda item: -item[1])[:LISTED]),
    }
    if wants_json:
        print(json.dumps(content))
    else:
        show(content)
    return 0 if content["ok"] else 1


def show(content: dict[str, Any]) -> None:
    table = Table("what", "seconds")
    table.add_row(
        f"fresh Python, sympy, {content['ops']} backwards derived (limit {LIMIT:.0f})", f"{content['cold_seconds']:.2f}"
    )
    table.add_row("  of it: import of sympy", f"{content['import_sympy_seconds']:.2f}")
    table.add_row("  of it: the derivations", f"{content['derive_seconds']:.2f}")
    table.add_row("fresh Python, the same backwards from their records", f"{content['recorded_seconds']:.2f}")
    table.add_row("  of it: reading them", f"{content['read_seconds']:.2f}")
    table.add_row("asked for again in one process", f"{content['again_seconds']:.4f}")
    for name, seconds in content["slowest_seconds"].items():
        table.add_row(f"  {name}", f"{seconds:.3f}")
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
