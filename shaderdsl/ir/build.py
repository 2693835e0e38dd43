"""Expressions born complete: each constructor checks its operands and sets the type.

    binary(BinaryOp.ADD, a, b, loc)      # KernelTypeError: cannot add f32 and i32

What a user can get wrong is a `KernelTypeError` at `loc`; folding of constants and Python numbers is the language's business.
"""

from __future__ import annotations

from collections.abc import Sequence

from shaderdsl.errors import ConstantError, InternalError, KernelTypeError
from shaderdsl.ir.builtins import Builtin, describe_overloads, result_type
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
    Member,
    MemberOf,
    Place,
    Swizzle,
    Unary,
)
from shaderdsl.ir.layout import size_of
from shaderdsl.ir.operators import ARITHMETIC, BinaryOp, UnaryOp, binary_result, unary_result
from shaderdsl.ir.types import (
    BOOL,
    F16,
    INTEGERS,
    U32,
    Array,
    Atomic,
    Matrix,
    RuntimeArray,
    Scalar,
    Struct,
    Type,
    Vector,
    mentions,
    scalar_of,
    with_scalar,
)
from shaderdsl.source import Loc

COMPONENTS = ("xyzw", "rgba")
VERBS = {
    BinaryOp.ADD: "add",
    BinaryOp.SUB: "subtract",
    BinaryOp.MUL: "multiply",
    BinaryOp.DIV: "divide",
    BinaryOp.REM: "take the remainder of",
    BinaryOp.SHL: "shift",
    BinaryOp.SHR: "shift",
}


def binary(op: BinaryOp, left: Expr, right: Expr, loc: Loc | None) -> Binary:
    """`left op right`; the operands must agree, since nothing is cast in silence."""
    result = binary_result(op, left.type, right.type)
    if result is None:
        verb = VERBS.get(op, f"apply {op.value} to" if op not in COMPARISONS else "compare")
        raise KernelTypeError(
            f"cannot {verb} {left.type} {JOINTS.get(op, 'and')} {right.type}",
            loc,
            label=f"{left.type} {op.value} {right.type}",
            hints=operand_hints(op, left.type, right.type),
        )
    return Binary(op, left, right, result, loc)


COMPARISONS = (BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE)


JOINTS = {BinaryOp.MUL: "by", BinaryOp.DIV: "by", BinaryOp.SHL: "by", BinaryOp.SHR: "by"}


def operand_hints(op: BinaryOp, left: Type, right: Type) -> list[str]:
    """How to make operands agree: a shift's right side is u32, the others are of one type."""
    if op in (BinaryOp.SHL, BinaryOp.SHR) and scalar_of(left) in INTEGERS:
        return [f"the right side of a shift is {unsigned_like(left)}: convert it with .u32"]
    if op in ARITHMETIC:
        return cast_hints(left, right) or [f"{op.value} takes two sides of one type, or a scalar beside a vector"]
    vector = next((t for t in (left, right) if isinstance(t, Vector)), None)
    if vector is not None and scalar_of(left) == scalar_of(right):
        return [f"{op.value} takes two sides of one type: make the other side a vector, {spelled(vector)}(...)"]
    return cast_hints(left, right) or [f"{op.value} takes two sides of one type"]


def spelled(type: Type) -> str:
    """A type as a user writes it: `f32`, `sd.vec3f`, `sd.Atomic[u32]`."""
    match type:
        case Vector():
            return f"sd.vec{type.size}{letter(type.scalar)}"
        case Matrix():
            return f"sd.mat{type.columns}x{type.rows}{letter(type.scalar)}"
        case Atomic():
            return f"sd.Atomic[{type.scalar}]"
        case _:
            return str(type)


def letter(scalar: Scalar) -> str:
    """The last letter of a vector's or matrix' name."""
    return "h" if scalar == F16 else str(scalar)[0]


def cast_hints(left: Type, right: Type) -> list[str]:
    """The cast that makes two types agree, where one would."""
    a, b = scalar_of(left), scalar_of(right)
    if a is None or b is None or a == b:
        return []
    return [f"convert one side by name: .{a} on the right operand, or .{b} on the left"]


def unary(op: UnaryOp, operand: Expr, loc: Loc | None) -> Unary:
    result = unary_result(op, operand.type)
    if result is None:
        raise KernelTypeError(f"cannot apply {op.value} to {operand.type}", loc, hints=["convert it first: -x.i32"])
    return Unary(op, operand, result, loc)


def call(builtin: Builtin, arguments: Sequence[Expr], loc: Loc | None) -> Call:
    types = [a.type for a in arguments]
    result = result_type(builtin, types)
    if result is None:
        given = ", ".join(str(t) for t in types)
        raise KernelTypeError(
            f"{builtin.value} does not take ({given})",
            loc,
            notes=[describe_overloads(builtin)],
            hints=mixed_hint(types),
        )
    return Call(builtin, tuple(arguments), result, loc)


def mixed_hint(types: Sequence[Type]) -> list[str]:
    """A cast, where the arguments are of several scalar types."""
    first = types[0] if types else None
    other = next((t for t in types if first is not None and scalar_of(t) != scalar_of(first)), None)
    return cast_hints(first, other) if first is not None and other is not None else []


def convert(operand: Expr, target: Type, loc: Loc | None) -> Expr:
    """`target(operand)`; the operand itself where it has that type already."""
    if operand.type == target:
        return operand
    same_form = isinstance(operand.type, Scalar) and isinstance(target, Scalar)
    match operand.type, target:
        case Vector(n, _), Vector(m, _):
            same_form = n == m
        case Matrix(c, r, _), Matrix(c2, r2, _):
            same_form = (c, r) == (c2, r2)
        case _:
            pass
    if not same_form:
        raise KernelTypeError(
            f"cannot convert {operand.type} to {target}", loc, hints=["take its components: v.x, v.y, m[0]"]
        )
    return Convert(operand, target, loc)


def bitcast(operand: Expr, target: Type, loc: Loc | None) -> Expr:
    """`bitcast<target>(operand)`: numeric scalars and vectors of one size in bytes, vec3 only to vec3."""
    source = operand.type
    fits = (
        isinstance(source, Scalar | Vector)
        and isinstance(target, Scalar | Vector)
        and not mentions(source, BOOL)
        and not mentions(target, BOOL)
        and size_of(source) == size_of(target)
    )
    if not fits:
        raise KernelTypeError(f"cannot bitcast {source} to {target}", loc, notes=["both sides must have the same size"])
    return operand if source == target else Bitcast(operand, target, loc)


def construct(type: Type, arguments: Sequence[Expr], loc: Loc | None) -> Construct:
    """`type(arguments...)`, by WGSL's value constructors."""
    fault = construction_fault(type, [a.type for a in arguments])
    if fault:
        raise KernelTypeError(f"cannot construct {type}", loc, notes=[fault])
    return Construct(tuple(arguments), type, loc)


def construction_fault(type: Type, given: list[Type]) -> str | None:
    """What is wrong with a constructor's argument types, or None."""
    match type:
        case Vector(size, scalar):
            return vector_fault(size, scalar, given)
        case Matrix(columns, rows, scalar):
            by_columns = given == [type.column] * columns
            by_scalars = given == [scalar] * (columns * rows)
            return (
                None
                if by_columns or by_scalars
                else f"it takes {columns} columns of {type.column} or {columns * rows} {scalar}"
            )
        case Array(element, count):
            return None if given == [element] * count else f"it takes {count} values of {element}"
        case Struct(_, members, _):
            wrong = [m for m, t in zip(members, given) if m.type != t]
            if len(given) != len(members):
                return f"it has {len(members)} members, {len(given)} were given"
            return f"member {wrong[0].name} is {wrong[0].type}" if wrong else None
        case _:
            raise InternalError(f"construct of {type}")


def vector_fault(size: int, scalar: Scalar, given: list[Type]) -> str | None:
    wrong = next((t for t in given if scalar_of(t) != scalar or not isinstance(t, Scalar | Vector)), None)
    if wrong is not None:
        return f"components must be {scalar}, not {wrong}"
    count = sum(t.size if isinstance(t, Vector) else 1 for t in given)
    if given == [scalar] or count == size:
        return None
    return f"it takes {size} components, {count} were given"


def components_of(name: str, size: int) -> tuple[int, ...] | None:
    """The positions that a swizzle name asks for, or None where it is none: `xz` of a vec3 gives (0, 2)."""
    for letters in COMPONENTS:
        if 1 <= len(name) <= 4 and all(letter in letters[:size] for letter in name):
            return tuple(letters.index(letter) for letter in name)
    return None


def swizzle(operand: Expr, components: tuple[int, ...], loc: Loc | None) -> Swizzle:
    if not isinstance(operand.type, Vector):
        raise InternalError(f"swizzle of {operand.type}")
    scalar = operand.type.scalar
    return Swizzle(operand, components, scalar if len(components) == 1 else Vector(len(components), scalar), loc)


def member(operand: Expr, name: str, loc: Loc | None) -> Member:
    found = operand.type.member(name) if isinstance(operand.type, Struct) else None
    if found is None:
        raise no_member(operand.type, name, loc)
    return Member(operand, name, found.type, loc)


def element(operand: Expr, index: Expr, loc: Loc | None) -> Element:
    """`operand[index]` of a value."""
    return Element(operand, index, indexed_type(operand.type, index, loc), loc)


def element_of(base: Place, index: Expr, loc: Loc | None) -> ElementOf:
    """`base[index]` of a place."""
    return ElementOf(base, index, indexed_type(base.type, index, loc))


def member_of(base: Place, name: str, loc: Loc | None) -> MemberOf:
    """`base.name` of a place: a structure's member or a vector's component."""
    match base.type:
        case Struct():
            found = base.type.member(name)
            if found is not None:
                return MemberOf(base, name, found.type)
        case Vector(size, scalar) if len(name) == 1 and components_of(name, size):
            return MemberOf(base, name, scalar)
        case _:
            pass
    raise no_member(base.type, name, loc)


def no_member(type: Type, name: str, loc: Loc | None) -> KernelTypeError:
    """What to say of a member that a type does not have."""
    known = [m.name for m in type.members] if isinstance(type, Struct) else []
    if isinstance(type, Vector):
        known = list(COMPONENTS[0][: type.size])
    notes = [f"its members are {', '.join(known)}"] if known else [f"{type} has no members"]
    return KernelTypeError(f"{type} has no member {name}", loc, notes=notes)


def indexed_type(base: Type, index: Expr, loc: Loc | None) -> Type:
    """The element's type; the index is an integer, and a constant one lies inside a fixed extent."""
    if index.type not in INTEGERS:
        raise KernelTypeError(f"an index is i32 or u32, not {index.type}", loc, hints=["convert it with .u32 or .i32"])
    match base:
        case RuntimeArray(inner):
            extent, result = None, inner
        case Array(inner, count):
            extent, result = count, inner
        case Vector(size, scalar):
            extent, result = size, scalar
        case Matrix(columns, _, _):
            extent, result = columns, base.column
        case _:
            raise KernelTypeError(f"{base} has no elements", loc, hints=["leave out the index"])
    check_index(index, extent, loc)
    return result


def check_index(index: Expr, extent: int | None, loc: Loc | None) -> None:
    if not isinstance(index, Const):
        return
    if index.value < 0 or (extent is not None and index.value >= extent):
        limit = f"the extent is {extent}" if extent is not None else "an index is not negative"
        raise ConstantError(f"index {index.value} is out of range", loc, notes=[limit])


def constant_index(value: int, loc: Loc | None = None) -> Const:
    return Const(value, U32, loc)


def atomic_scalar(type: Type) -> Scalar:
    """The i32 or u32 inside an atomic."""
    if not isinstance(type, Atomic):
        raise InternalError(f"{type} is not atomic")
    return type.scalar


def unsigned_like(type: Type) -> Type:
    """u32 in the form of `type`: what a shift's right side is."""
    return with_scalar(type, U32)
