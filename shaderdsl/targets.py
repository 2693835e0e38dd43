"""Targets, as the command line and the table of goldens name kernels and ops: `path.py:kernel`, `module:op` or `module:op.vjp`.

load_target("examples/scale.py:scale", Path.cwd())      # a KernelProgram
load_target("shaderdsl.ops:softmax.vjp", Path.cwd())    # an Op

A file is imported under a private name, with its folder on sys.path while that happens, and once for each state of the file.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TypeAlias

from shaderdsl.errors import InternalError, ShaderError, SpecError, TargetError, TraceError
from shaderdsl.operation import Op
from shaderdsl.program import KernelProgram
from shaderdsl.source import Span

Program: TypeAlias = KernelProgram | Op
DERIVATIVES = ("vjp", "jvp", "with_saved")
LISTED = 12
"""As many names of a module as an error lists."""


def load_target(target: str, base: Path) -> Program:
    """What `target` names; paths are relative to `base`, which also holds importable modules."""
    place, _, name = target.rpartition(":")
    if not place or not name:
        raise TargetError(f"{target!r} names no kernel", hints=["write path.py:kernel, module:kernel or module:op.vjp"])
    first, *derivatives = name.split(".")
    found = program_named(first, module_at(place, base), place)
    for kind in derivatives:
        found = derivative(found, kind)
    return found


def derivative(program: Program, kind: str) -> Op:
    """`program.vjp`, `program.jvp` or `program.with_saved`; the error says why there is none."""
    if isinstance(program, KernelProgram):
        raise TargetError(
            f"{program.__name__} is a kernel, which has no {kind}",
            hints=["write it as a formula: sd.op(name, formula)"],
        )
    if kind not in DERIVATIVES:
        raise TargetError(f"{program.name} has no {kind}", hints=[f"write {program.name}.vjp or {program.name}.jvp"])
    try:
        return program.with_saved if kind == "with_saved" else program.vjp if kind == "vjp" else program.jvp
    except SpecError as error:
        raise TargetError(error.message, notes=error.notes, hints=error.hints) from error


def check_statics(program: Program, given: Iterable[str], form: str) -> None:
    """A TargetError where these are not the kernel's static arguments; `form` is how one is written here: `--static {}=VALUE`."""
    named = set(given)
    if isinstance(program, Op):
        for unknown in sorted(named):
            raise TargetError(
                f"{program.name} is an op, which has no static parameter {unknown}",
                hints=["leave it out: an op's sizes are those of its arrays"],
            )
        return
    names = [p.name for p in program.signature.statics]
    for unknown in sorted(named.difference(names)):
        raise TargetError(
            f"{program.__name__} has no static parameter {unknown}",
            hints=[f"its static parameters are {', '.join(names) or 'none'}"],
        )
    for missing in [p.name for p in program.signature.statics if not p.has_default and p.name not in named]:
        raise TargetError(
            f"{program.__name__} needs its static parameter {missing}", hints=[f"write {form.format(missing)}"]
        )


def module_at(place: str, base: Path) -> ModuleType:
    """The module of a target's first half."""
    if not place.endswith(".py"):
        return named_module(place, base)
    path = (base / place).resolve()
    if not path.is_file():
        raise TargetError(f"there is no file {place}", notes=[f"looked for {path}"])
    return file_module(path, path.stat().st_mtime_ns)


def named_module(name: str, base: Path) -> ModuleType:
    """An importable module, looked for beside `base` too."""
    with on_path(base), ImportOf(name):
        if not importable(name):
            raise TargetError(f"there is no module {name}", hints=["a file is named with its ending: path.py:kernel"])
        return importlib.import_module(name)


def importable(name: str) -> bool:
    """Whether there is such a module; its parents are imported to know it."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            return False
        raise
    except ValueError:  # `__main__` and its kin
        return False


@lru_cache(maxsize=256)
def file_module(path: Path, changed: int) -> ModuleType:
    """A file as a module under a private name; `changed` is its time of change, so that an edited file is read again."""
    key = os.fsencode(path) + f":{changed}".encode()  # a path under the C locale holds characters that UTF-8 does not
    name = f"_shaderdsl_target_{hashlib.sha256(key).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InternalError(f"no loader for {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # annotations are read through it, later than now
    with on_path(path.parent), ImportOf(str(path)):
        spec.loader.exec_module(module)
    return module


@contextmanager
def on_path(folder: Path) -> Generator[None]:
    """`folder` first on sys.path."""
    entry = str(folder)
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        sys.path.remove(entry)


class ImportOf:
    """Says of whatever a user's file raises which line of hers did it; our own diagnostics pass as they are."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if isinstance(error, Exception) and not isinstance(error, ShaderError | InternalError):
            what = "".join(traceback.format_exception_only(error)).strip()
            raise TraceError(f"{self._name} does not import", line_of(self._name, tb), notes=[what]) from error


class At:
    """A resolved line as the place of an error."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def span(self) -> Span:
        return self._span


def line_of(name: str, tb: TracebackType | None) -> At | None:
    """The last line of a traceback that lies in the user's file, or the last outside the import system."""
    frames = [f for f in traceback.extract_tb(tb) if "importlib" not in f.filename]
    own = [f for f in frames if f.filename == name and Path(f.filename) != Path(__file__)] or [
        f for f in frames if Path(f.filename) != Path(__file__)
    ]
    if not own:
        return None
    last = own[-1]
    line = last.lineno or 1
    return At(Span(last.filename, line, 1, line, len(last.line or "") + 1, last.line or "", last.name))


def program_named(name: str, module: ModuleType, place: str) -> Program:
    """The kernel or op called `name`; the error lists those there are, or names the nearest."""
    found = getattr(module, name, None)
    if isinstance(found, KernelProgram | Op):
        return found
    names = programs_in(module)
    what = "is neither a kernel nor an op" if found is not None else "does not exist"
    if not names:
        hints = ["decorate a kernel with @sd.kernel, or make an op by sd.op"]
        raise TargetError(f"{name} {what} in {place}", notes=[f"{place} has neither kernels nor ops"], hints=hints)
    near = difflib.get_close_matches(name, names, 1, 0.7)
    more = [f"{len(names) - LISTED} more"] if len(names) > LISTED else []
    raise TargetError(
        f"{name} {what} in {place}",
        notes=[f"{place} has {', '.join([*names[:LISTED], *more])}"],
        hints=[f"write {place}:{near[0]}"] if near else [],
    )


def programs_in(module: ModuleType) -> list[str]:
    """The kernels and ops of a module by name, with what it makes when it is first asked for."""
    made = vars(module)
    lazy = set(dir(module)).difference(made) if "__dir__" in made else set[str]()
    return sorted({n for n, value in made.items() if isinstance(value, KernelProgram | Op)} | lazy)
