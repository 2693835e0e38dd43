"""Write what the Python blocks of a page print into the blocks that show it, after a change of emission or of a message:

python -m codegen_tests.docs.update docs/tutorial.md
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from codegen_tests.docs.pages import SHOWN, Block, blocks
from codegen_tests.docs.running import keep, run_console, run_python


def updated(page: Path, folder: Path) -> str:
    """The page's text with every shown output as it is now; the rest stays."""
    lines = page.read_text("utf-8").splitlines()
    names: dict[str, object] = {"__name__": f"{page.stem}_page"}
    found = blocks(page.read_text("utf-8"))
    changes: list[tuple[Block, str]] = []
    for number, (block, following) in enumerate(zip(found, [*found[1:], None])):
        if block.language == "console":
            run_console(block, folder)
        keep(block, folder)
        if block.language != "python":
            continue
        printed = run_python(block, folder / (block.file or f"block_{number}.py"), names)
        if following is not None and following.language in SHOWN:
            changes.append((following, printed))
    for block, printed in reversed(changes):
        start = block.line - 1
        lines[start : start + block.text.count("\n")] = printed.rstrip().splitlines()
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            text = updated(Path(name), Path(folder))
        Path(name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
