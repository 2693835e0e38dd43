"""What generated programs are made of: every kind of statement, expression and operator in one of twenty, shared memory in one of three."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import get_args

import pytest

from shaderdsl.ir.expr import AddressSpace, Binary, Expr, Load, Unary, root_of
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.stmt import Barrier, Block, If, Return, Stmt
from shaderdsl.ir.walk import blocks, expressions, statements, subexpressions
from shaderdsl.testing.programs import Program, generate

PROGRAMS = 520
KINDS = {c.__name__ for union in (Stmt, Expr) for c in get_args(union)}
OPERATORS = {op.name for enum in (BinaryOp, UnaryOp) for op in enum}


def kinds_in(kernel: Kernel) -> Iterator[str]:
    """Names of everything that occurs in a kernel; a repeated name is given again."""
    for block in (kernel.body, *(f.body for f in kernel.functions)):
        yield from kinds_of(block)


def kinds_of(block: Block) -> Iterator[str]:
    for stmt in statements(block):
        yield type(stmt).__name__
        if isinstance(stmt, Barrier):
            yield stmt.kind.value
        for expr in expressions(stmt):
            for inner in subexpressions(expr):
                yield from kind_of(inner)


def kind_of(expr: Expr) -> Iterator[str]:
    yield type(expr).__name__
    if isinstance(expr, Binary | Unary):
        yield expr.op.name
    if isinstance(expr, Load) and root_of(expr.place).space is AddressSpace.WORKGROUP:
        yield "shared"


def returns(block: Block) -> bool:
    """Whether the user's own lines end an invocation early: a return besides the domain's guard."""
    found = [s for s in statements(block) if isinstance(s, If) and any(isinstance(b, Return) for b in s.then)]
    return len(found) > 1


def length(program: Program) -> int:
    """Python statements in the kernel's own body."""
    tree = ast.parse(program.source)
    kernel = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "generated")
    return sum(isinstance(n, ast.stmt) for n in ast.walk(kernel)) - 1


def test_programs_hold_everything(record_property: Callable[[str, object], None]) -> None:
    programs = [generate(Random(seed)) for seed in range(PROGRAMS)]
    seen = Counter(kind for p in programs for kind in set(kinds_in(p.program.trace())))
    seen["early return"] = sum(returns(p.program.trace().body) for p in programs)
    share = {name: 100 * seen[name] / PROGRAMS for name in KINDS | OPERATORS | set(seen)}
    sizes = [length(p) for p in programs]
    rarest = sorted(KINDS | OPERATORS, key=lambda name: share[name])[:6]
    told = ", ".join(f"{name} {share[name]:.0f}%" for name in [*rarest, "shared", "workgroupBarrier", "storageBarrier"])
    record_property("summary", f"generated programs: {PROGRAMS}, median {median(sizes):.0f} statements; {told}")
    assert {name: n for name, n in share.items() if name in KINDS | OPERATORS | {"early return"} and n < 5} == {}
    assert share["shared"] >= 30
    assert share["Barrier"] >= 30
    assert median(sizes) >= 20


def test_a_missing_kind_is_seen() -> None:
    """The count is of what is there: a kernel without loops has none."""
    plain = next(p for p in (generate(Random(s)) for s in range(100)) if "k.loop()" not in p.source)
    assert "Loop" not in set(kinds_in(plain.program.trace()))


@pytest.mark.parametrize("kind", ["Loop", "Range", "If"])
def test_blocks_are_walked(kind: str) -> None:
    holding = [p for p in (generate(Random(s)) for s in range(30)) if kind in set(kinds_in(p.program.trace()))]
    assert any(blocks(s) for p in holding for s in statements(p.program.trace().body))
