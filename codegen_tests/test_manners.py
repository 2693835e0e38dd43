"""Manners: what importing costs, loads and changes, and what the library prints."""

from __future__ import annotations

import json
import logging
import statistics
import subprocess
import sys

import numpy as np
import pytest

from codegen_tests.scale.sized import statements

HEAVY = ("wgpu", "wgpudawn", "sympy", "lark", "shaderdsl.ops", "typer", "rich")
DEAREST_IMPORT = 0.12

IMPORT_COST = "import numpy, time; t = time.perf_counter(); import shaderdsl; print(time.perf_counter() - t)"
LOADED = "import sys, json; import shaderdsl; print(json.dumps([m for m in sys.modules]))"
TEXT_LOADED = """
import sys, json
from codegen_tests.kernels.norm import rms_norm
rms_norm.wgsl()
print(json.dumps([m for m in sys.modules]))
"""
STATE = """
import json, os, signal, sys, threading, warnings
import numpy

def state():
    return {
        "environment": sorted(os.environ.items()),
        "filters": [str(f) for f in warnings.filters],
        "numpy": [str(numpy.geterr()), str(numpy.get_printoptions())],
        "signals": [str(signal.getsignal(s)) for s in signal.valid_signals()],
        "threads": threading.active_count(),
        "files": len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0,
        "path": list(sys.path),
        "hooks": [str(sys.excepthook), str(sys.displayhook), str(sys.getprofile()), str(sys.gettrace())],
    }

before = state()
import shaderdsl
for name in shaderdsl.__all__:
    getattr(shaderdsl, name)
after = state()
print(json.dumps([k for k in before if before[k] != after[k]]))
"""


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_importing_costs_next_to_nothing() -> None:
    assert statistics.median(float(python(IMPORT_COST)) for _ in range(5)) < DEAREST_IMPORT


def test_importing_loads_nothing_heavy() -> None:
    modules = json.loads(python(LOADED))
    assert not [m for m in modules if m.startswith(HEAVY)]


def test_text_needs_no_device() -> None:
    modules = json.loads(python(TEXT_LOADED))
    assert not [m for m in modules if m.startswith(HEAVY)]


def test_using_every_name_changes_nothing_around() -> None:
    assert json.loads(python(STATE)) == []


def test_the_library_prints_nothing(capfd: pytest.CaptureFixture[str], device_name: str) -> None:
    program = statements(20)
    program(np.ones(4, np.float32), device=device_name)
    program(np.ones(4, np.float32), device="interpreter")
    program.ir()
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == ""


def test_the_logger_is_named_after_the_package() -> None:
    assert "shaderdsl" in logging.root.manager.loggerDict
