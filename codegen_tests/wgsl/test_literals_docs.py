"""Every Python block of docs/literals.md runs, on its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "literals.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_all_blocks_are_found() -> None:
    assert len(BLOCKS) == PAGE.read_text(encoding="utf-8").count("```python") == 5


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_block_runs(block: str) -> None:
    names: dict[str, object] = {"__name__": "literals_page"}
    exec(compile(block, str(PAGE), "exec"), names)
    assert len(names) > 2
