"""Our own goldens: each is what its kernel emits now, and both compilers take it, with no GPU for Tint."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shaderdsl.operation import Op
from shaderdsl.runtime.validate import naga_refusal, tint_refusal
from shaderdsl.targets import load_target
from shaderdsl.testing.golden import read
from shaderdsl.testing.golden_fixtures import GoldenFile
from shaderdsl.testing.golden_table import Golden, read_table

ROOT = Path(__file__).parents[2]
TABLE = read_table(ROOT / "pyproject.toml")
ENTRY = re.compile(r"@compute @workgroup_size\([^)]*\)\nfn (\w+)")
HEADER = re.compile(
    r"// shaderdsl golden, format \d+\n"
    r"// kernel: [\w/]+\.py:\w+\n"
    r"// dialect: (naga|tint)\n"
    r"(// statics: .+\n)?(// debug: yes\n)?"
    r"// bindings: .+\n// barriers: \d+\n// shared bytes: \d+\n\n"
)
OP_HEADER = re.compile(
    r"// shaderdsl golden, format \d+\n"
    r"// op: shaderdsl\.ops:[\w.]+\n"
    r"// dialect: (naga|tint)\n"
    r"//\n(//   .+\n)+//\n"
    r"(?P<costs>(// \w+: .+; barriers \d+, shared bytes \d+\n)+)\n"
)
OPS = [g for g in TABLE if g.target.startswith("shaderdsl.ops:")]
KERNELS = [g for g in TABLE if g not in OPS]


def test_golden_file(golden_file: GoldenFile) -> None:
    golden_file.check()


def test_there_are_enough() -> None:
    assert len({g.target for g in KERNELS}) >= 30
    assert len(OPS) >= 100


@pytest.mark.parametrize("golden", TABLE, ids=[g.file for g in TABLE])
def test_both_compilers_take_it(golden: Golden) -> None:
    text = read(golden.path)
    entries = ENTRY.findall(text)
    assert len(entries) >= 1 if golden in OPS else len(entries) == 1
    assert naga_refusal(text, entries) is None
    assert tint_refusal(text, entries) is None


def test_a_wrong_golden_is_refused_by_both() -> None:
    broken = read(TABLE[0].path).replace("u32", "f32", 1)
    entries = ENTRY.findall(broken)
    assert naga_refusal(broken, entries) is not None
    assert tint_refusal(broken, entries) is not None


@pytest.mark.parametrize("golden", TABLE, ids=[g.file for g in TABLE])
def test_headers(golden: Golden) -> None:
    text = read(golden.path)
    assert (OP_HEADER if golden in OPS else HEADER).match(text)
    assert b"\r" not in golden.path.read_bytes()
    assert text.endswith("}\n")


@pytest.mark.parametrize("golden", OPS, ids=[g.file for g in OPS])
def test_an_op_has_its_formula_and_the_costs_of_each_kernel(golden: Golden) -> None:
    text = read(golden.path)
    program, found = load_target(golden.target, golden.root), OP_HEADER.match(text)
    assert isinstance(program, Op)
    assert found is not None
    assert "".join(f"//   {line}\n" for line in program.formula.splitlines()) in text
    costs = [line.split(":")[0].removeprefix("// ") for line in found["costs"].splitlines()]
    assert costs == ENTRY.findall(text) == [k.entry_point for k in program.kernels()]


@pytest.mark.parametrize("golden", OPS, ids=[g.file for g in OPS])
def test_tint_takes_the_same_text_of_an_op(golden: Golden) -> None:
    """One file shows an op for both compilers: its kernels need nothing that they spell differently."""
    program = load_target(golden.target, golden.root)
    assert isinstance(program, Op)
    assert program.wgsl("naga") == program.wgsl("tint")


def test_costs_of_a_known_kernel() -> None:
    lines = read(ROOT / "golden_wgsl" / "norm_rms_norm.wgsl").splitlines()[:6]
    assert lines == [
        "// shaderdsl golden, format 1",
        "// kernel: codegen_tests/kernels/norm.py:rms_norm",
        "// dialect: naga",
        "// bindings: x read, gain read, y read_write, params uniform",
        "// barriers: 6",
        "// shared bytes: 1024",
    ]
