"""The architecture page names every room with its layer, every node and every pass; each decision is a page of one form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from codegen_tests.docs.pages import ROOT
from codegen_tests.test_house import LAYERS
from shaderdsl.ir import expr, stmt, types
from shaderdsl.passes.pipeline import DEBUG, STANDARD

TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
DECISIONS = sorted((ROOT / "docs" / "adr").glob("*.md"))
HEADINGS = ["Context", "Decision", "Consequences", "Considered and left"]


def layers_shown(text: str) -> dict[str, int]:
    """Each room or file of the table of rooms, with its layer."""
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", text, re.MULTILINE)
    return {name: int(layer) for layer, names in rows for name in re.findall(r"`(\w+)(?:/|\.py)`", names)}


def layers_present() -> dict[str, int]:
    """The same of what is on the disk."""
    package = ROOT / "shaderdsl"
    present = {n: layer for n, layer in LAYERS.items() if n and any((package / f).exists() for f in (n, f"{n}.py"))}
    return present | {"__init__": LAYERS[""]}


def unnamed(text: str) -> set[str]:
    """Nodes and passes that a text does not name."""
    unions = (expr.Expr, expr.Place, stmt.Stmt, types.Type)
    names = {node.__name__ for union in unions for node in get_args(union)}
    names |= {step.__name__ for step in (*STANDARD, *DEBUG)}
    return {name for name in names if not re.search(rf"\b{name}\b", text)}


def test_the_rooms_are_those_on_the_disk() -> None:
    assert layers_shown(TEXT) == layers_present()


def test_every_node_and_pass_is_named() -> None:
    assert unnamed(TEXT) == set()


def test_what_is_missing_is_found() -> None:
    assert unnamed(TEXT.replace("Swizzle", "").replace("dead_code", "")) == {"Swizzle", "dead_code"}
    assert layers_shown(TEXT.replace("| 3 | `passes/`", "| 4 | `passes/`")) != layers_present()


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_is_a_page_of_one_form(page: Path) -> None:
    text = page.read_text("utf-8")
    number = DECISIONS.index(page) + 1
    assert page.name.startswith(f"{number:04d}-")
    assert text.startswith(f"# {number}. ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS
    assert len(text.splitlines()) < 60
