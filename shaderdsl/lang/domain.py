"""Index domains: `k.each(n)` is one invocation a point, `k.each_group(n)` one workgroup a point; both give the launch grid.

Workgroups are counted in one line and folded over x and y, so no axis passes 65,535 however long the domain is:

    let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Generic, TypeVar

from shaderdsl.errors import ConstantError, KernelTypeError, TraceError
from shaderdsl.ir import build
from shaderdsl.ir.expr import Binary, Call, Const, Convert, Expr, Input, Read, ReadInput, ReadParam
from shaderdsl.ir.kernel import Domain, DomainKind
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import If, Return
from shaderdsl.ir.types import U32
from shaderdsl.lang.memory import arithmetic
from shaderdsl.lang.operate import coerce
from shaderdsl.lang.refusals import refuse
from shaderdsl.lang.trace import Trace, current
from shaderdsl.lang.value import let, wrap
from shaderdsl.source import Loc

T = TypeVar("T")
DEEPEST_EXTENT = 32


class DomainBlock(Generic[T]):
    """The kernel's index domain as a context manager that gives its indices."""

    def __init__(self, kind: DomainKind, extents: tuple[Expr, ...], loc: Loc) -> None:
        self._kind, self._extents, self._loc = kind, extents, loc
        self._name, self._form = f"k.{kind.value}", f"with k.{kind.value}(...) as i:"
        current(loc).await_(self, self._name, self._form, loc)

    def __enter__(self) -> T:
        trace = current(self._loc)
        trace.arrived(self, self._loc)
        indices = open_domain(trace, self._kind, self._extents, self._loc)
        values: Any = tuple(wrap(i) for i in indices)
        return values[0] if len(values) == 1 else values

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if kind is None:
            current(self._loc).scope.ended = True


def open_domain(trace: Trace, kind: DomainKind, extents: tuple[Expr, ...], loc: Loc) -> list[Expr]:
    """Emit the indices and the guard of a domain."""
    if trace.workgroup_size is None:
        raise TraceError(
            "a domain stands in a kernel, not in a function", loc, hints=["pass the index to the function"]
        )
    if trace.domain is not None:
        raise TraceError("a kernel has one index domain", loc, hints=["loop with k.range inside it"])
    if len(trace.scopes) != 1:
        raise TraceError("a domain stands at the top of a kernel", loc, hints=["open it before k.if_ and loops"])
    closed = tuple(host_expression(trace, e, loc) for e in extents)
    trace.domain = Domain(kind, closed)
    trace.domain_loc = loc
    sizes = tile_of(kind, trace.workgroup_size or (1, 1, 1), len(extents), loc)
    group = trace.let(flat_group(loc), loc, name="group") if len(extents) > 1 else flat_group(loc)
    indices = split_group(group, closed, sizes, loc)
    if kind is DomainKind.EACH:
        indices = invocations(indices, sizes, trace.workgroup_size or (1, 1, 1), loc)
    names = trace.names_at(loc)
    named = [
        trace.let(i, loc, name=n)
        for i, n in zip(indices, names if len(names) == len(indices) else [None] * len(indices))
    ]
    guarded = named if kind is DomainKind.EACH else named[:1]
    guard(trace, guarded, closed, loc)
    return list(named)


def tile_of(kind: DomainKind, workgroup: tuple[int, int, int], rank: int, loc: Loc | None) -> list[int]:
    """Points that a workgroup covers along each axis of the domain: the last axis runs along x."""
    if kind is DomainKind.EACH_GROUP:
        return [1] * rank
    if rank == 1:
        return [workgroup[0] * workgroup[1] * workgroup[2]]
    if any(size > 1 for size in workgroup[rank:]):
        raise KernelTypeError(
            f"a workgroup of {workgroup} does not tile a domain of {rank} axes",
            loc,
            hints=["give workgroup_size one number an axis"],
        )
    return list(reversed(workgroup[:rank]))


def flat_group(loc: Loc) -> Expr:
    """The number of this workgroup: workgroup_id.x + workgroup_id.y * num_workgroups.x."""
    row, width = read_component(Input.WORKGROUP_ID, 1, loc), read_component(Input.NUM_WORKGROUPS, 0, loc)
    start = arithmetic(BinaryOp.MUL, row, width, loc)
    return build.binary(BinaryOp.ADD, read_component(Input.WORKGROUP_ID, 0, loc), start, loc)


def read_component(source: Input, component: int, loc: Loc | None) -> Expr:
    """One component of a built-in input."""
    return build.swizzle(ReadInput(source, source.type, loc), (component,), loc)


def split_group(group: Expr, extents: tuple[Expr, ...], sizes: list[int], loc: Loc) -> list[Expr]:
    """The workgroup's coordinates along each axis, from its number: the last axis varies fastest."""
    coordinates: list[Expr] = []
    for axis, (extent, size) in zip("xy", list(zip(extents, sizes))[:0:-1]):
        groups = group_count(extent, size, f"groups_{axis}", loc)
        coordinates.append(arithmetic(BinaryOp.REM, group, groups, loc))
        group = arithmetic(BinaryOp.DIV, group, groups, loc)
    return [group, *reversed(coordinates)]


def group_count(extent: Expr, size: int, name: str, loc: Loc) -> Expr:
    """Workgroups along an axis: the extent divided by the tile, rounded up."""
    if size == 1:
        return extent
    padded = arithmetic(BinaryOp.ADD, extent, Const(size - 1, U32, loc), loc)
    if isinstance(padded, Const):
        return arithmetic(BinaryOp.DIV, padded, Const(size, U32, loc), loc)
    return current(loc).let(build.binary(BinaryOp.DIV, padded, Const(size, U32, loc), loc), loc, name=name)


def invocations(groups: list[Expr], sizes: list[int], workgroup: tuple[int, int, int], loc: Loc) -> list[Expr]:
    """This invocation's index along each axis."""
    index = ReadInput(Input.LOCAL_INVOCATION_INDEX, U32, loc)
    rank = len(groups)
    result: list[Expr] = []
    for axis, (group, size) in enumerate(zip(groups, sizes)):
        local = index if rank == 1 else read_component(Input.LOCAL_INVOCATION_ID, rank - 1 - axis, loc)
        base = let(group, loc, named=False) if not isinstance(group, Read) else group
        start = arithmetic(BinaryOp.MUL, base, Const(size, U32, loc), loc) if size > 1 else base
        one = size == 1 or workgroup == (1, 1, 1)
        result.append(start if one else build.binary(BinaryOp.ADD, start, local, loc))
    return result


def guard(trace: Trace, indices: Sequence[Expr], extents: tuple[Expr, ...], loc: Loc) -> None:
    """Leave where the grid is larger than the domain."""
    outside: Expr | None = None
    for index, extent in zip(indices, extents):
        past = let(build.binary(BinaryOp.GE, index, extent, loc), loc, named=False)
        outside = (
            past if outside is None else let(build.binary(BinaryOp.LOGICAL_OR, outside, past, loc), loc, named=False)
        )
    if outside is not None:
        trace.emit(If(outside, (Return(None, loc),), (), loc))


def extent_of(value: object, loc: Loc) -> Expr:
    """An extent as u32: an axis, a parameter, an integer, or arithmetic on them."""
    expr = coerce(value, U32, loc)
    if expr.type != U32:
        raise KernelTypeError(f"an extent is u32, not {expr.type}", loc, hints=["convert it with .u32"])
    if isinstance(expr, Const) and expr.value == 0:
        raise ConstantError(
            "an extent of a domain is zero", loc, hints=["an axis may be zero when it is launched: k.each(x.n)"]
        )
    return expr


def host_expression(trace: Trace, expr: Expr, loc: Loc, depth: int = 0) -> Expr:
    """`expr` over the uniform alone, as the host computes it; anything else cannot size a grid."""
    match expr:
        case Const() | ReadParam():
            return expr
        case Read(slot, _, _) if depth < DEEPEST_EXTENT and slot in trace.definitions:
            return host_expression(trace, trace.definitions[slot], loc, depth + 1)
        case Binary(op, left, right, type, at):
            inner = [host_expression(trace, e, loc, depth + 1) for e in (left, right)]
            return Binary(op, inner[0], inner[1], type, at)
        case Convert(operand, type, at):
            return Convert(host_expression(trace, operand, loc, depth + 1), type, at)
        case Call(builtin, arguments, type, at):
            return Call(builtin, tuple(host_expression(trace, a, loc, depth + 1) for a in arguments), type, at)
        case _:
            raise TraceError(
                "the host cannot compute this extent",
                loc,
                notes=["a domain is sized by axes, parameters and arithmetic on them"],
                hints=["give the size as a parameter: n: sd.Param[u32]"],
            )


def misplaced(block: DomainBlock[Any], symbol: str, *others: object) -> TraceError:
    """What to say of a domain in the wrong statement."""
    del symbol, others
    return TraceError(f"{block._name} does nothing here", block._loc, hints=[f"write {block._form}"])


refuse(DomainBlock, ["iter", "bool", "len"], misplaced)
