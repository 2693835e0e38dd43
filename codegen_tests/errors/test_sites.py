"""Every place of the source that raises a user's error is reached by a bad program, or by a test that is named here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import shaderdsl
from codegen_tests.errors.running import error_of, programs
from codegen_tests.errors.sites import CLASSES, Site, recorded, sites

PACKAGE = Path(shaderdsl.__file__).parent
TESTS = Path(__file__).parents[1]

ELSEWHERE = {
    "runtime": "runtime",
    "cli": "cli",
    "testing": "testing",
    "spec": "spec",
    "schedule": "schedule",
    "graph/check.py": "graph/test_check.py",
    "graph/replay.py": "graph/test_replay.py",
    "operation.py": "operation",
    "run_steps.py": "operation",
    "tensor_arguments.py": "operation",
    "targets.py": "cli",
    "wgsl/literals.py": "wgsl/test_literals.py",
    "wgsl/read_literal.py": "wgsl/test_literals_reading.py",
}
"""Rooms and files whose errors need a device, a terminal or a text of WGSL: the folder or file of tests that reaches them."""


@cache
def run() -> tuple[frozenset[tuple[str, int]], frozenset[str]]:
    """All bad programs: the places where errors were made, and the codes that came out."""
    with recorded() as reached:
        codes = frozenset(error_of(program).code for program in programs())
    return frozenset(reached), codes


def room(site: Site) -> str:
    return site.path.relative_to(PACKAGE).as_posix()


def elsewhere(site: Site) -> bool:
    return any(room(site) == key or room(site).startswith(f"{key}/") for key in ELSEWHERE)


def unreached(found: list[Site], reached: frozenset[tuple[str, int]]) -> list[str]:
    return [str(site) for site in found if not any(site.holds(*place) for place in reached)]


def test_every_site_is_reached() -> None:
    reached, _ = run()
    missing = unreached([s for s in sites(PACKAGE) if not elsewhere(s)], reached)
    assert not missing, "\n".join(missing)


def test_tests_named_elsewhere_exist() -> None:
    assert [t for t in ELSEWHERE.values() if not (TESTS / t).exists()] == []
    assert [k for k in ELSEWHERE if not (PACKAGE / k).exists()] == []


def test_every_code_comes_out() -> None:
    _, codes = run()
    others = {
        "error",
        "driver",
        "golden",
        "spec",
        "target",
    }  # of the base, and of what drivers, golden files, formulas and targets do
    assert {cls.code for cls in CLASSES.values()} - others <= codes


def test_a_planted_site_is_missed(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text("def never():\n    raise ScopeError(\n        'never seen'\n    )\n", encoding="utf-8")
    found = sites(tmp_path)
    assert unreached(found, run()[0]) == ["planted.py:2 in never: 'never seen'"]
    assert unreached(found, frozenset({(str(planted), 3)})) == []
