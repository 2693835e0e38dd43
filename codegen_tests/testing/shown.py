"""What a kernel shows of the language: every node class and enum member that occurs in its IR, before and after the passes.

shown(program)      # {Let, Binary, BinaryOp.ADD, ScalarKind.F32, AddressSpace.STORAGE, ...}
gaps({Let})                        # what is not in the set, as sorted words
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, get_args

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import (
    AddressSpace,
    Binary,
    Call,
    ElementOf,
    Expr,
    Input,
    Load,
    MemberOf,
    Place,
    ReadInput,
    Unary,
    Whole,
    root_of,
)
from shaderdsl.ir.kernel import DomainKind, Kernel, Role
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.stmt import AtomicCall, AtomicOp, Barrier, BarrierKind, Block, Collective, CollectiveOp, Declare, Stmt
from shaderdsl.ir.types import Array, Atomic, Matrix, RuntimeArray, Scalar, ScalarKind, Struct, Type, Vector
from shaderdsl.ir.walk import expressions, statements, subexpressions
from shaderdsl.program import KernelProgram

ENUMS: tuple[type[Enum], ...] = (
    ScalarKind,
    AddressSpace,
    Input,
    BarrierKind,
    AtomicOp,
    CollectiveOp,
    DomainKind,
    Role,
    UnaryOp,
    BinaryOp,
    Builtin,
)
UNIONS: tuple[Any, ...] = (Expr, Stmt, Place, Type)
WANTED: frozenset[object] = frozenset([m for e in ENUMS for m in e] + [c for u in UNIONS for c in get_args(u)])


def gaps(found: Iterable[object]) -> list[str]:
    """The members of WANTED that are not among `found`, by name."""
    return sorted(str(m) if isinstance(m, Enum) else getattr(m, "__name__", str(m)) for m in WANTED - set(found))


def shown(program: KernelProgram, **statics: Any) -> set[object]:
    """Everything that occurs in a kernel as traced or as emitted."""
    return set(of_kernel(program.trace(**statics))) | set(of_kernel(program.lowered(**statics)))


def of_kernel(kernel: Kernel) -> Iterator[object]:
    yield kernel.domain.kind
    for extent in kernel.domain.extents:
        yield from of_expression(extent)
    for buffer in kernel.buffers:
        yield buffer.role
        yield buffer.variable.space
        yield from of_type(buffer.variable.type)
    if kernel.uniform is not None:
        yield kernel.uniform.variable.space
        yield from of_type(kernel.uniform.struct)
    for variable in kernel.shared:
        yield variable.space
        yield from of_type(variable.type)
    for body in (*(f.body for f in kernel.functions), kernel.body):
        yield from of_block(body)


def of_block(block: Block) -> Iterator[object]:
    for stmt in statements(block):
        yield type(stmt)
        yield from of_statement(stmt)
        for expr in expressions(stmt):
            yield from of_expression(expr)


def of_statement(stmt: Stmt) -> Iterator[object]:
    """The enum members that a statement carries itself."""
    match stmt:
        case Barrier(kind):
            yield kind
        case AtomicCall(_, op, place):
            yield op
            yield from of_place(place)
        case Collective(_, op):
            yield op
        case Declare(variable):
            yield variable.space
            yield from of_type(variable.type)
        case _:
            yield from of_place(getattr(stmt, "place", None))


def of_place(place: Place | None) -> Iterator[object]:
    """The classes of a place, and the space that it lies in."""
    if place is None:
        return
    yield root_of(place).space
    while isinstance(place, ElementOf | MemberOf):
        yield type(place)
        place = place.base
    yield Whole


def of_expression(expr: Expr) -> Iterator[object]:
    for inner in subexpressions(expr):
        yield type(inner)
        yield from of_type(inner.type)
        match inner:
            case Unary(op) | Binary(op):
                yield op
            case Call(builtin):
                yield builtin
            case ReadInput(source):
                yield source
            case Load(place):
                yield from of_place(place)
            case _:
                pass


def of_type(type_: Type) -> Iterator[object]:
    """The classes and scalar kinds inside a type."""
    yield type(type_)
    match type_:
        case Scalar(kind):
            yield kind
        case Vector(_, scalar) | Matrix(_, _, scalar) | Atomic(scalar):
            yield scalar.kind
        case Array(element) | RuntimeArray(element):
            yield from of_type(element)
        case Struct(_, members):
            for member in members:
                yield from of_type(member.type)
