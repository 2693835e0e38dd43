"""docs/errors.md is what the bad programs make of it. SHADERDSL_UPDATE_ERRORS=1 writes it anew, after the messages."""

from __future__ import annotations

import os
from pathlib import Path

from codegen_tests.errors.page import EXAMPLES, WITHOUT, kinds, page

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def test_page_is_current() -> None:
    text = page()
    if os.environ.get("SHADERDSL_UPDATE_ERRORS") and not os.environ.get("CI"):
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    assert PAGE.read_text(encoding="utf-8") == text


def test_every_code_has_an_example() -> None:
    assert sorted([*EXAMPLES, *WITHOUT]) == sorted(code for _, code, _ in kinds())


def test_example_shows_its_code() -> None:
    text = page()
    assert [code for code in EXAMPLES if f" [{code}]\n" not in text.split("## Every mistake")[0]] == []
