"""Pages of the documentation as blocks of text, and the rules that keep them true.

- ```python blocks of a page run in order in one namespace, each from a file of its own; one that starts with `# kernels.py` is also kept as that file.
- What a block prints, and the ShaderError that it ends with, is shown by the ```text or ```wgsl block right after it; a block without one prints nothing.
- ```console blocks run their `$ shaderdsl` and `$ pytest` lines in the page's folder; what is shown under a line is what it prints.
- ```toml blocks that start with `# pyproject.toml` are kept as that file; ```sh and ```math blocks are for people and do not run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LANGUAGES = ("python", "text", "wgsl", "console", "toml", "sh", "math")
SHOWN = ("text", "wgsl")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and the line of the page where the text starts."""

    language: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The name in a first line such as `# kernels.py`."""
        first = self.text.partition("\n")[0].removeprefix("# ")
        named = first.endswith((".py", ".toml")) and " " not in first and "/" not in first
        return first if self.text.startswith("# ") and named else None


@dataclass(frozen=True, slots=True)
class Step:
    """A block that runs, and what the page says that it prints."""

    block: Block
    shown: str | None


def pages() -> list[Path]:
    """Every page that a user reads."""
    docs = ROOT / "docs"
    return [ROOT / "README.md", *sorted(docs.glob("*.md")), *sorted((docs / "adr").glob("*.md"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else page.name


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    fence, start, inside = "", 0, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        if not fence and line.lstrip().startswith("```"):
            fence, start, inside = line.strip(), number + 1, []
        elif fence and line.strip() == "```":
            found.append(Block(fence[3:], "".join(f"{s}\n" for s in inside), start))
            fence = ""
        elif fence:
            inside.append(line)
    if fence:
        found.append(Block("not closed", "", start))
    return found


def faults(page: Path) -> list[str]:
    """Blocks that would be forgotten: without a language, of an unknown one, or not closed."""
    found = blocks(page.read_text("utf-8"))
    return [f"{name_of(page)}:{b.line}: a block of {b.language!r}" for b in found if b.language not in LANGUAGES]


def steps(page: Path) -> list[Step]:
    """Each block that is run or kept, with the output that follows it."""
    found = blocks(page.read_text("utf-8"))
    after: list[Block | None] = [*found[1:], None]
    return [
        Step(block, following.text if following is not None and following.language in SHOWN else None)
        for block, following in zip(found, after)
        if block.language in ("python", "console", "toml")
    ]
