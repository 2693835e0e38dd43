"""No gap: every type, node, operator, builtin, space, role and domain has a golden, and is executed on every device.

Each golden kernel is run on the interpreter, on wgpu and on Dawn, and compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from codegen_tests.kernels.cases import CASES, EVERYWHERE, EXACT, Case
from codegen_tests.testing.shown import gaps, shown
from shaderdsl.ir.types import ScalarKind
from shaderdsl.program import KernelProgram
from shaderdsl.targets import load_target
from shaderdsl.testing.golden_table import Golden, read_table

ROOT = Path(__file__).parents[2]
TABLE = [g for g in read_table(ROOT / "pyproject.toml") if g.target.startswith("codegen_tests/")]
"""The kernels of the tests; ops are made of a part of what these show."""
ONLY_WGPU = {str(ScalarKind.F16)}
"""SwiftShader, on which Dawn runs here, has no shader-f16."""


def case_name(target: str) -> str:
    """`codegen_tests/kernels/norm.py:rms_norm` as `norm.rms_norm`."""
    path, _, name = target.rpartition(":")
    return f"{Path(path).stem}.{name}"


def shown_by(golden: Golden) -> set[object]:
    program = load_target(golden.target, golden.root)
    assert isinstance(program, KernelProgram)
    return set(shown(program, **golden.statics))


def test_every_member_is_shown_by_a_golden() -> None:
    found = [m for g in TABLE for m in shown_by(g)]
    assert gaps(found) == []


def test_the_gap_test_sees_a_gap() -> None:
    found = {
        m for name, case in CASES.items() if name != "memory.neighbours" for m in shown(case.program, **case.statics)
    }
    assert gaps(found) == ["BarrierKind.STORAGE"]
    assert {"ScalarKind.F16", "Let", "Builtin.ABS"} <= set(gaps([]))


def test_every_golden_has_a_case() -> None:
    assert sorted({case_name(g.target) for g in TABLE}) == sorted(CASES)


@pytest.mark.parametrize("device", EVERYWHERE)
def test_every_member_is_executed(device: str) -> None:
    found = [m for c in CASES.values() if device in c.devices for m in shown(c.program, **c.statics)]
    assert set(gaps(found)) == (ONLY_WGPU if device == "dawn" else set())


def agree(case: Case, ours: NDArray[Any], theirs: NDArray[Any]) -> bool:
    """Bit for bit, or within the case's tolerance of the larger of 1 and the value."""
    if case.tolerance == EXACT:
        return ours.tobytes() == theirs.tobytes()
    error = np.abs(ours.astype(np.float64) - theirs) / np.maximum(1, np.abs(ours.astype(np.float64)))
    return bool((error <= case.tolerance).all())


@pytest.mark.parametrize("name", CASES)
def test_devices_agree_with_the_interpreter(name: str) -> None:
    case = CASES[name]
    expected = case.run("interpreter")
    assert expected
    for device in case.devices:
        got = case.run(device)
        assert got.keys() == expected.keys()
        assert [key for key in got if not agree(case, expected[key], got[key])] == [], device


def test_a_wrong_result_is_seen() -> None:
    exact, near = CASES["elementwise.scale"], CASES["norm.softmax"]
    ones = np.ones(3, np.float32)
    assert agree(exact, ones, ones)
    assert not agree(exact, ones, np.nextafter(ones, np.float32(2)))
    assert agree(near, ones, ones + np.float32(5e-6))
    assert not agree(near, ones, ones + np.float32(2e-5))
    assert not agree(near, ones, ones * np.float32(np.nan))


def test_results_are_right() -> None:
    """The interpreter itself against numpy, where numpy has the formula."""
    x, a = np.asarray(CASES["elementwise.scale"].arguments["x"]), np.float32(2.5)
    assert CASES["elementwise.scale"].run("interpreter")[""].tobytes() == (x * a).tobytes()
    product = CASES["matmul.tiled"]
    left, right = (np.asarray(product.arguments[n]) for n in "ab")
    assert (product.run("interpreter")[""] == left @ right).all()
    scanned = np.asarray(CASES["scan.row_scan"].arguments["x"])
    assert (CASES["scan.row_scan"].run("interpreter")[""] == scanned.cumsum(axis=1)).all()
    counted = np.asarray(CASES["atomics.histogram"].arguments["x"])
    assert (CASES["atomics.histogram"].run("interpreter")[""] == np.bincount(counted & 15, minlength=16)).all()
