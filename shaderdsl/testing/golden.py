"""Golden files: whole shaders as they were last read and approved, compared line by line.

    // shaderdsl golden, format 1
    // kernel: kernels/norm.py:rms_norm
    // dialect: naga
    // bindings: x read, gain read, y read_write, params uniform
    // barriers: 10
    // shared bytes: 1024

    @group(0) @binding(0) ...

That of an op has its formula and the costs of each of its kernels.

check(Path("pyproject.toml"))       # what is missing, orphaned, different or does not compile: [] when all is well
update(Path("pyproject.toml"))      # writes the files, and gives what changed
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from shaderdsl.corridor import lower
from shaderdsl.errors import GoldenError, ShaderError
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import Barrier, Block, CallFunction, UniformLoad
from shaderdsl.ir.walk import statements
from shaderdsl.operation import Op
from shaderdsl.targets import Program, check_statics, load_target
from shaderdsl.testing.golden_table import Golden, folders, read_table
from shaderdsl.wgsl.module import Dialect, emit_module
from shaderdsl.wgsl.shader import Binding, BindingKind

FORMAT = 1
"""Raised when the emitted text of every kernel changes, with a line in the changelog."""
FIRST = "// shaderdsl golden, format "
KEPT = "// kept by: shader_golden"
"""A golden of a test alone, which no table lists."""
NOT_LISTED = "no line of [tool.shaderdsl.goldens] lists it"
FOREIGN = "shaderdsl did not write it: keep it in another folder than the goldens"
ACCESS = {BindingKind.READ: "read", BindingKind.READ_WRITE: "read_write", BindingKind.UNIFORM: "uniform"}


class Kind(Enum):
    """What is wrong with a golden file."""

    MISSING = "missing"
    ORPHAN = "orphan"
    DIFFERENT = "different"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """A golden file that is not as it should be. `detail` is a unified diff, or the error that the kernel raises."""

    kind: Kind
    file: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.file}\n{self.detail}".rstrip()


def golden_text(
    program: Program,
    dialect: str = "naga",
    statics: Mapping[str, object] | None = None,
    *,
    debug: bool = False,
    target: str | None = None,
    extra: Iterable[str] = (),
) -> str:
    """The golden of a kernel, or of all kernels of an op: a header with its costs, then its WGSL.

    debug: with k.print and k.assert_. target: how the header names the kernel. extra: more lines of the header.
    """
    if isinstance(program, Op):
        return op_text(program, dialect, target or program.name)
    given: dict[str, Any] = dict(statics or {})
    shader = program.shader(dialect, debug=debug, **given)
    lines = [
        f"{FIRST}{FORMAT}",
        f"// kernel: {target or f'{program.__module__}:{program.__name__}'}",
        f"// dialect: {dialect}",
        *([f"// statics: {', '.join(f'{n}={v!r}' for n, v in sorted(given.items()))}"] if given else []),
        *(["// debug: yes"] if debug else []),
        *extra,
        f"// bindings: {', '.join(map(binding_text, shader.bindings)) or 'none'}",
        f"// barriers: {barriers(program.lowered(debug=debug, **given))}",
        f"// shared bytes: {shader.shared_bytes}",
    ]
    return "".join(f"{line}\n" for line in lines) + "\n" + shader.text


def op_text(program: Op, dialect: str, target: str) -> str:
    """The golden of an op: its formula, the costs of each kernel, then all kernels as one module."""
    kernels = [lower(k) for k in program.kernels()]
    shaders = emit_module(kernels, Dialect(dialect))
    lines = [
        f"{FIRST}{FORMAT}",
        f"// op: {target}",
        f"// dialect: {dialect}",
        "//",
        *(f"//   {line}" for line in program.formula.splitlines()),
        "//",
        *(
            f"// {s.entry_point}: {', '.join(map(binding_text, s.bindings))}; barriers {barriers(k)}, shared bytes {s.shared_bytes}"
            for s, k in zip(shaders, kernels)
        ),
    ]
    return "".join(f"{line}\n" for line in lines) + "\n" + shaders[0].text


def binding_text(binding: Binding) -> str:
    return f"{binding.name} {ACCESS[binding.kind]}"


def barriers(kernel: Kernel) -> int:
    """Barriers in the text of a kernel, those of a function once for each call; a uniform load counts as one."""
    counted: dict[int, int] = {}

    def count(block: Block) -> int:
        total = 0
        for stmt in statements(block):
            if isinstance(stmt, Barrier | UniformLoad):
                total += 1
            elif isinstance(stmt, CallFunction):
                key = id(stmt.function)
                if key not in counted:
                    counted[key] = count(stmt.function.body)
                total += counted[key]
        return total

    return count(kernel.body)


def compare(path: Path, text: str) -> str | None:
    """A unified diff from the golden file to `text`, or None where they agree; a missing file is an empty one."""
    before = read(path) if path.is_file() else ""
    if before == text:
        return None
    lines = difflib.unified_diff(before.splitlines(), text.splitlines(), path.name, "now", lineterm="")
    return "\n".join(lines)


def read(path: Path) -> str:
    """A golden's text; what an editor on Windows does to line ends is no difference."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise GoldenError(f"{path.name} is not UTF-8", notes=[str(error)]) from error


def write(path: Path, text: str) -> None:
    """A golden file, with \\n on every system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


def text_of(golden: Golden) -> str:
    """What the table's kernel is now."""
    program = load_target(golden.target, golden.root)
    check_statics(program, golden.statics, "statics = {{ {} = VALUE }} in the table")
    if golden.debug and isinstance(program, Op):
        raise GoldenError(f"{program.name} is an op, which has no debug form", hints=["leave debug out of the table"])
    return golden_text(program, golden.dialect, golden.statics, debug=golden.debug, target=golden.target)


def check_golden(golden: Golden) -> Finding | None:
    """One line of the table against its file."""
    try:
        difference = compare(golden.path, text_of(golden))
    except ShaderError as error:
        return Finding(Kind.BROKEN, golden.file, str(error))
    if difference is None:
        return None
    return Finding(Kind.DIFFERENT if golden.path.is_file() else Kind.MISSING, golden.file, difference)


def check(pyproject: Path) -> list[Finding]:
    """Everything that is wrong with the goldens of a project."""
    table = read_table(pyproject)
    found = [check_golden(g) for g in table]
    return [f for f in found if f is not None] + orphans(table)


def orphans(table: list[Golden]) -> list[Finding]:
    """WGSL files in the goldens' folders that the table does not list, but for those that a test keeps."""
    listed = {g.path.resolve() for g in table}
    return [
        Finding(Kind.ORPHAN, path.relative_to(table[0].root).as_posix(), NOT_LISTED if written(path) else FOREIGN)
        for folder in folders(table)
        for path in sorted(folder.glob("*.wgsl"))
        if path.resolve() not in listed and KEPT not in read(path).splitlines()[:8]
    ]


def update(pyproject: Path) -> list[Finding]:
    """Write every golden that differs and delete orphans that shaderdsl wrote; what changed, and what is still wrong."""
    refuse_in_ci()
    changed: list[Finding] = []
    table = read_table(pyproject)
    for golden in table:
        finding = check_golden(golden)
        if finding is None:
            continue
        changed.append(finding)
        if finding.kind is not Kind.BROKEN:
            write(golden.path, text_of(golden))
    for orphan in orphans(table):
        changed.append(orphan)
        delete_orphan(table[0].root / orphan.file)
    return changed


def delete_orphan(path: Path) -> None:
    """Delete a golden that nothing lists any more; a file that shaderdsl did not write stays."""
    if written(path):
        path.unlink()


def written(path: Path) -> bool:
    """Whether shaderdsl wrote this file."""
    return read(path).startswith(FIRST)


def mendable(finding: Finding) -> bool:
    """Whether an update settles it: it never mends a kernel, and never deletes what shaderdsl did not write."""
    return finding.kind is not Kind.BROKEN and finding.detail != FOREIGN


def in_ci() -> bool:
    """Whether this is a run of continuous integration, which must never write what it is to compare with."""
    return bool(os.environ.get("CI"))


def refuse_in_ci() -> None:
    if in_ci():
        raise GoldenError(
            "goldens are not written where CI is set", hints=["update them on your machine, read them, commit them"]
        )
