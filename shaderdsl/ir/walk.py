"""Walks over expressions and statements: what a node reads, and the same node with other parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from shaderdsl.ir.expr import (
    Binary,
    Bitcast,
    Call,
    Const,
    Construct,
    Convert,
    Element,
    ElementOf,
    Expr,
    Load,
    Member,
    MemberOf,
    Place,
    Read,
    ReadInput,
    ReadParam,
    Slot,
    Swizzle,
    Unary,
    Whole,
)
from shaderdsl.ir.stmt import (
    Assert,
    AtomicCall,
    Barrier,
    Block,
    Break,
    CallFunction,
    Collective,
    Continue,
    Declare,
    If,
    Let,
    Loop,
    Print,
    Range,
    Return,
    Stmt,
    Store,
    UniformLoad,
)

Rewrite = Callable[[Expr], Expr]


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly under `expr`, in order of evaluation."""
    match expr:
        case Const() | Read() | ReadInput() | ReadParam():
            return ()
        case Load(place, _, _):
            return tuple(indices(place))
        case Unary(_, operand) | Convert(operand) | Bitcast(operand) | Swizzle(operand) | Member(operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case Call(_, arguments) | Construct(arguments):
            return arguments
        case Element(operand, index):
            return (operand, index)
        case _:
            assert_never(expr)


def indices(place: Place) -> list[Expr]:
    """The index expressions of a place, outermost last."""
    found: list[Expr] = []
    while not isinstance(place, Whole):
        if isinstance(place, ElementOf):
            found.append(place.index)
        place = place.base
    return found[::-1]


def with_operands(expr: Expr, rewrite: Rewrite) -> Expr:
    """`expr` with `rewrite` applied to each expression directly under it; itself where nothing changed."""
    match expr:
        case Const() | Read() | ReadInput() | ReadParam():
            return expr
        case Load(place, _, _):
            new = with_indices(place, rewrite)
            return expr if new is place else replace(expr, place=new)
        case Unary() | Convert() | Bitcast() | Swizzle() | Member():
            operand = rewrite(expr.operand)
            return expr if operand is expr.operand else replace(expr, operand=operand)
        case Binary():
            left, right = rewrite(expr.left), rewrite(expr.right)
            return expr if left is expr.left and right is expr.right else replace(expr, left=left, right=right)
        case Call() | Construct():
            arguments = tuple(rewrite(a) for a in expr.arguments)
            return expr if same(arguments, expr.arguments) else replace(expr, arguments=arguments)
        case Element():
            operand, index = rewrite(expr.operand), rewrite(expr.index)
            return (
                expr if operand is expr.operand and index is expr.index else replace(expr, operand=operand, index=index)
            )
        case _:
            assert_never(expr)


def same(new: tuple[Expr, ...], old: tuple[Expr, ...]) -> bool:
    return all(a is b for a, b in zip(new, old))


def with_indices(place: Place, rewrite: Rewrite) -> Place:
    """`place` with its index expressions rewritten."""
    match place:
        case Whole():
            return place
        case ElementOf(base, index, _):
            new_base, new_index = with_indices(base, rewrite), rewrite(index)
            return place if new_base is base and new_index is index else replace(place, base=new_base, index=new_index)
        case MemberOf(base, _, _):
            new_base = with_indices(base, rewrite)
            return place if new_base is base else replace(place, base=new_base)
        case _:
            assert_never(place)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement evaluates itself, in order; not those of its blocks."""
    match stmt:
        case Let(_, value):
            return (value,)
        case Declare(_, initial):
            return () if initial is None else (initial,)
        case Store(place, value):
            return (*indices(place), value)
        case If(condition):
            return (condition,)
        case Range(_, start, stop, step):
            return (start, stop, step)
        case Return(value):
            return () if value is None else (value,)
        case UniformLoad(_, place):
            return tuple(indices(place))
        case AtomicCall(_, _, place, values):
            return (*indices(place), *values)
        case CallFunction(_, _, arguments):
            return arguments
        case Collective(_, _, operand, lane):
            return (operand,) if lane is None else (operand, lane)
        case Print(_, values):
            return values
        case Assert(condition):
            return (condition,)
        case Loop() | Break() | Continue() | Barrier():
            return ()
        case _:
            assert_never(stmt)


def with_expressions(stmt: Stmt, rewrite: Rewrite) -> Stmt:
    """`stmt` with `rewrite` applied to each of `expressions(stmt)`."""
    match stmt:
        case Let(_, value):
            new = rewrite(value)
            return stmt if new is value else replace(stmt, value=new)
        case Declare(_, initial):
            return stmt if initial is None else replace(stmt, initial=rewrite(initial))
        case Store(place, value):
            return replace(stmt, place=with_indices(place, rewrite), value=rewrite(value))
        case If(condition):
            return replace(stmt, condition=rewrite(condition))
        case Range(_, start, stop, step):
            return replace(stmt, start=rewrite(start), stop=rewrite(stop), step=rewrite(step))
        case Return(value):
            return stmt if value is None else replace(stmt, value=rewrite(value))
        case UniformLoad(_, place):
            return replace(stmt, place=with_indices(place, rewrite))
        case AtomicCall(_, _, place, values):
            return replace(stmt, place=with_indices(place, rewrite), operands=tuple(rewrite(v) for v in values))
        case CallFunction(_, _, arguments):
            return replace(stmt, arguments=tuple(rewrite(a) for a in arguments))
        case Collective(_, _, operand, lane):
            return replace(stmt, operand=rewrite(operand), lane=None if lane is None else rewrite(lane))
        case Print(_, values):
            return replace(stmt, values=tuple(rewrite(v) for v in values))
        case Assert(condition):
            return replace(stmt, condition=rewrite(condition))
        case Loop() | Break() | Continue() | Barrier():
            return stmt
        case _:
            assert_never(stmt)


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    match stmt:
        case If(_, then, orelse):
            return (then, orelse)
        case Range() | Loop():
            return (stmt.body,)
        case _:
            return ()


def with_blocks(stmt: Stmt, rewrite: Callable[[Block], Block]) -> Stmt:
    """`stmt` with `rewrite` applied to each of its blocks."""
    match stmt:
        case If(_, then, orelse):
            return replace(stmt, then=rewrite(then), orelse=rewrite(orelse))
        case Range() | Loop():
            return replace(stmt, body=rewrite(stmt.body))
        case _:
            return stmt


def defined(stmt: Stmt) -> Slot | None:
    """The slot that a statement defines for what follows it; a loop's own slot belongs to its body."""
    match stmt:
        case Let() | UniformLoad() | AtomicCall() | CallFunction() | Collective():
            return stmt.slot
        case _:
            return None


def written_place(stmt: Stmt) -> Place | None:
    """The place that a statement itself writes to, if any. A function's writes are its body's."""
    match stmt:
        case Store(place):
            return place
        case AtomicCall(place=place):
            return place
        case _:
            return None


def statements(block: Block) -> Iterator[Stmt]:
    """Every statement of a block and of the blocks inside, in program order."""
    stack: list[Iterator[Stmt]] = [iter(block)]
    while stack:
        stmt = next(stack[-1], None)
        if stmt is None:
            stack.pop()
            continue
        yield stmt
        for inner in reversed(blocks(stmt)):
            stack.append(iter(inner))


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """`expr` and everything under it."""
    stack = [expr]
    while stack:
        current = stack.pop()
        yield current
        stack += operands(current)


def slots_read(stmt: Stmt) -> Iterator[Slot]:
    """The slots that a statement's own expressions read, once for each time."""
    for expr in expressions(stmt):
        for inner in subexpressions(expr):
            if isinstance(inner, Read):
                yield inner.slot
