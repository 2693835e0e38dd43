"""The documentation is true: every block runs, and what it prints is what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codegen_tests.docs.pages import ROOT, blocks, faults, name_of, pages
from codegen_tests.docs.running import run_page
from shaderdsl.runtime.device import best_backend

FIXTURES = Path(__file__).parent / "fixtures"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def broken_links(page: Path) -> list[str]:
    """Links of a page to files that are not there."""
    found = [link for link in LINK.findall(page.read_text("utf-8")) if not link.startswith(("http", "mailto:"))]
    return [link for link in found if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_runs(page: Path, tmp_path: Path) -> None:
    assert faults(page) == []
    assert run_page(page, tmp_path) == []


@pytest.mark.parametrize("name", ["dawn", "interpreter"])
def test_the_tutorial_is_as_true_on_another_device(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHADERDSL_DEVICE", name)
    best = best_backend()
    assert (best.value if best is not None else "interpreter") == name
    assert run_page(ROOT / "docs" / "tutorial.md", tmp_path) == []


@pytest.mark.parametrize("page", [*pages(), ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_a_broken_link_is_found() -> None:
    assert broken_links(FIXTURES / "broken_link.md") == ["nowhere.md"]


@pytest.mark.parametrize("fixture", ["no_language.md", "unknown_language.md", "not_closed.md"])
def test_a_forgotten_block_is_found(fixture: str) -> None:
    assert len(faults(FIXTURES / fixture)) == 1


@pytest.mark.parametrize(
    ("fixture", "message"),
    [
        ("other_wgsl.md", "the page shows"),
        ("nothing_shown.md", "the page shows"),
        ("unshown_error.md", "ScopeError|error: "),
        ("failing_command.md", "gives status 2"),
        ("other_output.md", "shaderdsl --version: the page shows"),
    ],
)
def test_a_page_that_is_not_true_is_found(fixture: str, message: str, tmp_path: Path) -> None:
    found = run_page(FIXTURES / fixture, tmp_path)
    assert len(found) == 1
    assert re.search(message, found[0])


def test_an_assertion_of_a_page_fails_the_test(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        run_page(FIXTURES / "wrong_assertion.md", tmp_path)


def test_the_tutorial_has_blocks_of_each_kind() -> None:
    kinds = {b.language for b in blocks((ROOT / "docs" / "tutorial.md").read_text("utf-8"))}
    assert {"python", "wgsl", "text", "console", "toml"} <= kinds
