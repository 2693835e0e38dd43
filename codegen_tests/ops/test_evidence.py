"""Every op's evidence holds now, is what its record says, and an op without it is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

import shaderdsl as sd
from codegen_tests.ops.library import DEFINITIONS, DERIVED, case
from shaderdsl import ops
from shaderdsl.ops.records import FOLDER, record_of, stale
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.print import format_spec
from shaderdsl.testing.evidence import examine
from shaderdsl.testing.library import examined, pool
from shaderdsl.testing.library import record_of as written
from shaderdsl.testing.mutations import KINDS

POOL = pool(DEFINITIONS.values())
SLOW = {"masked_softmax", "selective_scan", "ssd", "attention", "causal_attention"}
"""Examined by the command; here their records alone are compared."""


@pytest.mark.parametrize("name", [n for n in DEFINITIONS if n not in SLOW])
def test_the_evidence_is_what_the_record_says(name: str) -> None:
    report = examined(DEFINITIONS[name], others=POOL)
    assert report.ok, str(report)
    now, kept = written(DEFINITIONS[name], report), record_of(name)
    assert kept is not None
    # Figures are rounding: the record has their size, which another machine may not share.
    for record in (now, kept):
        record["checks"] = [(c["name"], c["ok"], c["limit"]) for c in record["checks"]]
    assert now == kept, f"run shaderdsl gradcheck {name} --record"


@pytest.mark.parametrize("name", DERIVED)
def test_the_recorded_backward_is_the_derived_one(name: str) -> None:
    record = record_of(name)
    assert record is not None
    assert record["backward"] == format_spec(vjp(case(name)[0])).splitlines()


@pytest.mark.parametrize("name", DERIVED)
def test_enough_kinds_apply(name: str) -> None:
    record = record_of(name)
    assert record is not None
    assert len(record["mutations"]) >= 4
    assert set(record["mutations"]) <= set(KINDS)


def test_there_are_enough_kinds() -> None:
    made = {kind for name in DERIVED for kind in (record_of(name) or {})["mutations"]}
    assert made == set(KINDS)
    assert len(KINDS) >= 12


ASKED = (
    "zero",
    "identity",
    "negated",
    "dropped term",
    "missing factor",
    "missing scale",
    "transposed operand",
    "wrong sign of a rotation",
    "shifted mask",
    "stale eps",
    "swapped outputs",
    "wrong axis",
)


def test_the_faults_that_people_make_are_among_them() -> None:
    assert set(ASKED) <= set(KINDS)
    assert all(
        "wrong sign of a rotation" in (record_of(n) or {})["mutations"] for n in ("rope_split", "rope_interleaved")
    )


@pytest.mark.parametrize("name", DERIVED)
def test_what_is_equivalent_is_listed(name: str) -> None:
    record = record_of(name) or {}
    listed = {kind: len(texts) for kind, texts in record["equivalents"].items()}
    assert listed == {kind: m["equivalent"] for kind, m in record["mutations"].items() if m["equivalent"]}
    assert all(m["caught"] + m["equivalent"] == m["made"] for m in record["mutations"].values())


def test_every_record_is_of_an_op() -> None:
    assert {p.stem for p in FOLDER.glob("*.json")} == set(DEFINITIONS)


def test_an_op_without_evidence_is_refused() -> None:
    changed = replace(DEFINITIONS["softmax"], formula=DEFINITIONS["softmax"].formula.replace("exp", "exp2"))
    assert stale(changed, record_of("softmax")) == "softmax has evidence for another formula"
    assert stale(changed, None) == "softmax has no evidence"
    record = record_of("softmax") or {}
    assert "another backward" in stale(DEFINITIONS["softmax"], {**record, "backward": []})
    with pytest.raises(sd.SpecError, match="another formula"):
        ops.registered(changed)


def test_a_record_that_fails_is_refused() -> None:
    record = record_of("softmax") or {}
    assert stale(DEFINITIONS["softmax"], {**record, "failures": ["not caught"]}) == "the evidence for softmax fails"


@pytest.mark.parametrize("name", DEFINITIONS)
def test_an_op_is_there_by_name(name: str) -> None:
    assert isinstance(getattr(ops, name), sd.Op)


def test_importing_an_op_needs_no_sympy() -> None:
    program = "import sys\nfrom shaderdsl import ops\nops.softmax\nassert 'sympy' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_wrong_backward_fails_its_evidence() -> None:
    spec, hints = case("rms_norm")
    wrong = replace(vjp(spec), outputs=tuple(reversed(vjp(spec).outputs)))
    report = examine(spec, hints, wrong, mutate=False)
    assert not report.ok
    assert any("complex step" in f for f in report.failures)


def test_records_are_json_with_an_end() -> None:
    for path in FOLDER.glob("*.json"):
        content = path.read_text("utf-8")
        assert content.endswith("}\n")
        assert json.loads(content)["op"] == path.stem
