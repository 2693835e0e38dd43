"""The house: imports go downhill, files stay short, nothing is imported in secret, and every op of the library is kept with what it needs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import shaderdsl
from shaderdsl.ops import definitions
from shaderdsl.ops.definition import Definition
from shaderdsl.ops.records import record_of, stale
from shaderdsl.testing.golden_table import Golden, read_table

ROOT = Path(__file__).parent.parent
LAYERS: dict[str, int] = {
    "errors": 0,
    "source": 0,
    "ir": 1,
    "numeric": 1,
    "lang": 2,
    "analysis": 2,
    "wgsl": 2,
    "interp": 2,
    "spec": 2,
    "passes": 3,
    "schedule": 3,
    "corridor": 4,
    "runtime": 4,
    "arguments": 5,
    "debug": 5,
    "execute": 5,
    "graph": 5,
    "operation": 5,
    "program": 5,
    "resident": 5,
    "run_op": 5,
    "run_steps": 5,
    "targets": 5,
    "tensor_arguments": 5,
    "testing": 5,
    "": 6,
    "public": 6,
    "examples": 7,
    "ops": 7,
    "quickstart": 7,
    "cli": 8,
    "__main__": 8,
}
"""Every room and top-level file; a higher number imports a lower one, siblings of one layer from this list only."""

SIBLINGS = {
    ("errors", "source"),
    ("numeric", "ir"),
    ("execute", "arguments"),
    ("execute", "debug"),
    ("execute", "program"),
    ("graph", "arguments"),
    ("graph", "execute"),
    ("graph", "operation"),
    ("graph", "program"),
    ("graph", "tensor_arguments"),
    ("operation", "program"),
    ("run_op", "graph"),
    ("program", "debug"),
    ("resident", "execute"),
    ("run_op", "execute"),
    ("run_op", "operation"),
    ("run_op", "run_steps"),
    ("run_op", "tensor_arguments"),
    ("run_steps", "execute"),
    ("targets", "operation"),
    ("targets", "program"),
    ("tensor_arguments", "arguments"),
    ("tensor_arguments", "run_steps"),
    ("testing", "graph"),
    ("testing", "operation"),
    ("testing", "program"),
    ("testing", "targets"),
    ("testing", "arguments"),
    ("testing", "execute"),
    ("public", ""),
    ("", "public"),
    ("__main__", "cli"),
}
"""Imports inside one layer, each in one direction: ir's tables are the keys of numeric's; the objects a user calls build on each other."""


LAZY = {
    "shaderdsl/__init__.py",
    "shaderdsl/operation.py",
    "shaderdsl/program.py",
    "shaderdsl/quickstart/digits.py",
    "shaderdsl/testing/gradcheck.py",
    "shaderdsl/testing/plot.py",
    "shaderdsl/testing/plugin.py",
}
"""Files that load a module when it is first needed: the public table, the devices, an optional package."""

AIM, WALL = 300, 500


def sources() -> list[Path]:
    return sorted(p for p in (ROOT / "shaderdsl").rglob("*.py") if "/ops/" not in p.as_posix())


def room_of(module: str) -> str:
    """`shaderdsl.lang.value` lies in `lang`, `shaderdsl` in the empty room."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and name of every module of ours that is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "shaderdsl":
            yield node.lineno, node.module
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.split(".")[0] == "shaderdsl")


def uphill(path: Path, tree: ast.AST) -> list[str]:
    """Imports of a file that do not go down."""
    here = room_of(module_of(path))
    found: list[str] = []
    for line, name in imports(tree):
        there = room_of(name)
        down = LAYERS[there] < LAYERS[here] or there == here or (here, there) in SIBLINGS
        if not down:
            found.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    return found


def test_imports_go_downhill() -> None:
    found = [f for path in sources() for f in uphill(path, ast.parse(path.read_text("utf-8")))]
    assert not found, "\n".join(found)


def test_an_uphill_import_is_found() -> None:
    tree = ast.parse("from shaderdsl.runtime.device import Device")
    assert uphill(ROOT / "shaderdsl" / "lang" / "value.py", tree)


def test_every_room_has_a_layer() -> None:
    rooms = {room_of(module_of(p)) for p in sources()}
    assert rooms <= set(LAYERS), rooms - set(LAYERS)


def test_nothing_is_imported_inside_functions() -> None:
    found: list[str] = []
    for path in sources():
        tree = ast.parse(path.read_text("utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                found += [
                    f"{path}:{n.lineno}" for n in ast.walk(function) if isinstance(n, ast.Import | ast.ImportFrom)
                ]
    assert not found, "\n".join(found)


def test_only_the_named_files_load_modules_lazily() -> None:
    using = {p.relative_to(ROOT).as_posix() for p in sources() if "import_module(" in p.read_text("utf-8")}
    allowed = LAZY | {p for p in using if p.startswith(("shaderdsl/runtime/", "shaderdsl/cli/", "shaderdsl/targets"))}
    assert using <= allowed, using - allowed


def test_files_stay_short() -> None:
    lengths = {p.relative_to(ROOT).as_posix(): len(p.read_text("utf-8").splitlines()) for p in sources()}
    assert max(lengths.values()) <= WALL, {p: n for p, n in lengths.items() if n > WALL}
    long = [n for n in lengths.values() if n > AIM]
    assert len(long) <= len(lengths) // 8, "too many files are past the aim of 300 lines"


def test_every_module_says_what_it_is_for() -> None:
    silent = [str(p) for p in sources() if not ast.get_docstring(ast.parse(p.read_text("utf-8")))]
    assert not silent


def test_public_names_are_the_same_for_type_checkers() -> None:
    stub = ast.parse((ROOT / "shaderdsl" / "public.py").read_text("utf-8"))
    found = [n for n in stub.body if isinstance(n, ast.ImportFrom) and n.module != "__future__"]
    listed = {a.name: n.module for n in found for a in n.names}
    assert listed == {name: f"shaderdsl.{room}" for name, room in shaderdsl.HOMES.items()}


def test_every_public_name_loads() -> None:
    for name in shaderdsl.__all__:
        assert getattr(shaderdsl, name) is not None


def test_no_public_name_is_a_module() -> None:
    """A module of that name would replace the function once it is imported."""
    names = {p.stem for p in (ROOT / "shaderdsl").iterdir() if p.suffix == ".py" or p.is_dir()}
    assert not names & set(shaderdsl.__all__)


def test_the_repository_speaks_of_the_product_alone() -> None:
    outside = ("../shared", "/work/", "/tmp/", "issue #")
    for path in sources():
        text = path.read_text("utf-8")
        assert not [w for w in outside if w in text], path


GOLDENS = read_table(ROOT / "pyproject.toml")
Records = Callable[[str], Mapping[str, Any] | None]


def unkept(found: Definition, records: Records, goldens: list[Golden]) -> list[str]:
    """What an op of the library lacks: evidence for its formula and backward, a golden of each, or the golden's file."""
    evidence = stale(found, records(found.name))
    faults = [f"{evidence}: run shaderdsl gradcheck {found.name} --record"] if evidence else []
    for name in (found.name,) if found.without else (found.name, f"{found.name}.vjp"):
        row = f'"golden_wgsl/ops/{name}.wgsl" = "shaderdsl.ops:{name}"'
        golden = next((g for g in goldens if g.target == f"shaderdsl.ops:{name}"), None)
        if golden is None or golden.file != f"golden_wgsl/ops/{name}.wgsl":
            faults.append(f"{name} has no golden: write {row} in pyproject.toml")
        elif not golden.path.is_file():
            faults.append(f"{golden.file} is not there: run shaderdsl golden --update")
    return faults


@pytest.mark.parametrize("name", definitions())
def test_every_op_has_evidence_and_goldens(name: str) -> None:
    found = unkept(definitions()[name], record_of, GOLDENS)
    assert not found, "\n".join(found)


def test_what_an_op_lacks_is_found() -> None:
    softmax, fill = definitions()["softmax"], definitions()["fill"]
    own = [g for g in GOLDENS if g.target.startswith("shaderdsl.ops:softmax")]
    elsewhere = [replace(own[0], file="golden_wgsl/softmax.wgsl"), own[1]]
    gone = [replace(g, root=ROOT / "nowhere") for g in own]
    assert unkept(softmax, record_of, own) == []
    assert unkept(softmax, lambda _: None, own) == ["softmax has no evidence: run shaderdsl gradcheck softmax --record"]
    assert unkept(replace(softmax, formula="y[i] = x[i]"), record_of, own)[0].startswith(
        "softmax has evidence for another formula"
    )
    assert unkept(softmax, record_of, own[:1]) == [
        'softmax.vjp has no golden: write "golden_wgsl/ops/softmax.vjp.wgsl" = "shaderdsl.ops:softmax.vjp" in pyproject.toml'
    ]
    assert [f.split(":")[0] for f in unkept(softmax, record_of, elsewhere)] == ["softmax has no golden"]
    assert [f.split(" ")[0] for f in unkept(softmax, record_of, gone)] == [g.file for g in own]
    assert [f.split(":")[0] for f in unkept(fill, record_of, [])] == ["fill has no golden"]


def test_every_golden_of_an_op_is_of_the_library() -> None:
    named = {g.target.removeprefix("shaderdsl.ops:").split(".")[0] for g in GOLDENS if "shaderdsl.ops:" in g.target}
    assert named == set(definitions())
