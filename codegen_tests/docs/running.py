"""Run the blocks of a page as a user would, and compare what they print with what the page shows.

faults = run_page(Path("docs/tutorial.md"), folder)        # [] where the page is true
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from codegen_tests.docs.pages import Block, Step, name_of, steps
from shaderdsl.errors import ShaderError

RUN = {"shaderdsl": ["-m", "shaderdsl"], "pytest": ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no"]}
"""Commands of a ```console block that run; installing things is left to people."""


def run_page(page: Path, folder: Path) -> list[str]:
    """What is wrong with a page's blocks; the first fault ends the run, since later blocks build on earlier ones."""
    names: dict[str, object] = {"__name__": f"{page.stem}_page"}
    for number, step in enumerate(steps(page)):
        found = run_step(step, folder, f"block_{number}.py", names)
        if found:
            return [f"{name_of(page)}:{step.block.line}: {found}"]
    return []


def run_step(step: Step, folder: Path, file: str, names: dict[str, object]) -> str:
    """What is wrong with one block, or nothing."""
    block = step.block
    match block.language:
        case "toml":
            keep(block, folder)
            return ""
        case "console":
            return run_console(block, folder)
        case _:
            keep(block, folder)
            printed = run_python(block, folder / (block.file or file), names)
            return difference(step.shown or "", printed)


def keep(block: Block, folder: Path) -> None:
    if block.file is not None:
        (folder / block.file).write_text(block.text, "utf-8")


def run_python(block: Block, path: Path, names: dict[str, object]) -> str:
    """What a block prints, and the error that it ends with; paths as `example.py` or the block's own name. Tests wait for `$ pytest`."""
    path.write_text(block.text, "utf-8")
    if path.name.startswith("test_"):
        return ""
    output = io.StringIO()
    code = compile(block.text, str(path), "exec", dont_inherit=True)
    with contextlib.redirect_stdout(output):
        try:
            exec(code, names)
        except ShaderError as error:
            print(error)
    return re.sub(r"block_\d+\.py", "example.py", output.getvalue().replace(f"{path.parent}{os.sep}", ""))


def run_console(block: Block, folder: Path) -> str:
    """What is wrong with a console block: a status that is not 0, or other output than shown."""
    for command, shown in commands(block.text):
        words = shlex.split(command)
        if words[0] not in RUN:
            continue
        done = subprocess.run(
            [sys.executable, *RUN[words[0]], *words[1:]], cwd=folder, env=environment(), capture_output=True, text=True
        )
        if done.returncode:
            return f"{command} gives status {done.returncode}\n{done.stdout}{done.stderr}"
        wrong = difference(shown, done.stdout) if shown else ""
        if wrong:
            return f"{command}: {wrong}"
    return ""


def commands(text: str) -> list[tuple[str, str]]:
    """Each `$` line and the output under it."""
    parts = text.split("$ ")[1:]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def environment() -> dict[str, str]:
    """A user's own machine, where goldens may be written."""
    return {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")}


def difference(shown: str, printed: str) -> str:
    """How output differs from what the page shows, but for blank lines at the end."""
    if shown.rstrip() == printed.rstrip():
        return ""
    return f"the page shows\n{shown}\nand the block prints\n{printed}"
