"""Kernels that write a result over an argument: one buffer, read and written, where there were two.

    m[i] = 0.9 * m[i] + g[i]        # in the memory of m

That is right where each element is read only by the invocation that writes it, and before it does.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace

from shaderdsl.ir.expr import ElementOf, Expr, Load, MemberOf, Place, Variable, Whole, root_of
from shaderdsl.ir.kernel import Buffer, Kernel, Role
from shaderdsl.ir.stmt import Block, Stmt
from shaderdsl.ir.walk import (
    expressions,
    statements,
    subexpressions,
    with_blocks,
    with_expressions,
    with_operands,
    written_place,
)
from shaderdsl.passes.functions import on_blocks
from shaderdsl.schedule.group import Kind, Launch
from shaderdsl.spec.axes import indices_of, reads_of
from shaderdsl.spec.notation import Index


def overwrites(launch: Launch, result: str, argument: str) -> bool:
    """Whether a launch may write a result over an argument."""
    buffers = launch.bound
    if result not in launch.writes or argument not in buffers or buffers[argument].element != buffers[result].element:
        return False
    return at_own_place(launch, result, argument) and loads_first(launch.kernel, buffers[argument].variable.name)


def at_own_place(launch: Launch, result: str, argument: str) -> bool:
    """Whether a launch computes every element where it stands, and reads an argument nowhere else."""
    group = launch.group
    if group is None or group.kind is not Kind.ROWS or group.swept is not None:
        return False
    if group.shapes[result] != tuple(group.domain.values()):
        return False
    return all(
        read.indices == tuple(map(Index, indices_of(stage)))
        for stage in group.spec.stages
        for read in reads_of(stage)
        if read.tensor == argument
    )


def loads_first(kernel: Kernel, argument: str) -> bool:
    """Whether a kernel has loaded all that it needs of an argument before it stores anything."""
    stored = False
    for stmt in statements(kernel.body):
        loaded = (p for e in expressions(stmt) for p in subexpressions(e) if isinstance(p, Load))
        if stored and any(root_of(p.place).name == argument for p in loaded):
            return False
        stored = stored or written_place(stmt) is not None
    return True


def overwritten(launch: Launch, over: Mapping[str, str], made: dict[Hashable, Kernel]) -> Launch:
    """A launch that writes some results over arguments. over: the argument of each such result. made: kernels that were changed so before."""
    if not over:
        return launch
    buffers = launch.bound
    instead = {buffers[argument].variable: buffers[result].variable for result, argument in over.items()}
    key = (launch.kernel, *instead.items())
    if key not in made:
        kernel = on_blocks(launch.kernel, lambda block: with_variables(block, instead))
        made[key] = replace(kernel, buffers=joined(kernel, instead))
    return replace(launch, kernel=made[key], over=dict(over))


def joined(kernel: Kernel, instead: Mapping[Variable, Variable]) -> tuple[Buffer, ...]:
    """The buffers without those that are written over. Bindings may have gaps: those of the rest stay."""
    kept = [b for b in kernel.buffers if b.variable not in instead]
    written = set(instead.values())
    return tuple(replace(b, role=Role.INOUT) if b.variable in written else b for b in kept)


def with_variables(block: Block, instead: Mapping[Variable, Variable]) -> Block:
    """A block that loads from other variables."""

    def load(expr: Expr) -> Expr:
        inner = with_operands(expr, load)
        if isinstance(inner, Load) and root_of(inner.place) in instead:
            return replace(inner, place=with_root(inner.place, instead[root_of(inner.place)]))
        return inner

    def one(stmt: Stmt) -> Stmt:
        return with_expressions(with_blocks(stmt, lambda b: with_variables(b, instead)), load)

    return tuple(map(one, block))


def with_root(place: Place, root: Variable) -> Place:
    match place:
        case Whole():
            return replace(place, variable=root)
        case ElementOf() | MemberOf():
            return replace(place, base=with_root(place.base, root))
