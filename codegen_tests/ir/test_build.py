"""Constructors of expressions: the type of each result, and each mistake with its message, label and hint."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shaderdsl.errors import ConstantError, InternalError, KernelTypeError, ShaderError
from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Read, Slot, Variable, Whole
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import (
    BOOL,
    F16,
    F32,
    I32,
    U32,
    Array,
    Atomic,
    Matrix,
    Member,
    RuntimeArray,
    Struct,
    Type,
    Vector,
)

V2, V3, V4 = (Vector(n, F32) for n in (2, 3, 4))
M23 = Matrix(2, 3, F32)
PAIR = Struct("Pair", (Member("left", F32), Member("right", V3)))


def of(type: Type) -> Read:
    """Some value of a type."""
    return Read(Slot("v", type), type, None)


def place(type: Type) -> Whole:
    variable = Variable("p", type, AddressSpace.FUNCTION, None)
    return Whole(variable, type)


RESULTS: list[tuple[str, Expr | build.Place, Type]] = [
    ("f32 + f32", build.binary(BinaryOp.ADD, of(F32), of(F32), None), F32),
    ("vec3 * f32", build.binary(BinaryOp.MUL, of(V3), of(F32), None), V3),
    ("mat2x3 * vec2", build.binary(BinaryOp.MUL, of(M23), of(V2), None), V3),
    ("vec3 * mat2x3", build.binary(BinaryOp.MUL, of(V3), of(M23), None), V2),
    ("i32 << u32", build.binary(BinaryOp.SHL, of(I32), of(U32), None), I32),
    ("vec2 < vec2", build.binary(BinaryOp.LT, of(V2), of(V2), None), Vector(2, BOOL)),
    ("-vec3", build.unary(UnaryOp.NEGATE, of(V3), None), V3),
    ("!bool", build.unary(UnaryOp.NOT, of(BOOL), None), BOOL),
    ("dot", build.call(Builtin.DOT, [of(V3), of(V3)], None), F32),
    ("f32 to u32", build.convert(of(F32), U32, None), U32),
    ("vec3f to vec3u", build.convert(of(V3), Vector(3, U32), None), Vector(3, U32)),
    ("vec2h as u32", build.bitcast(of(Vector(2, F16)), U32, None), U32),
    ("vec3 of vec2 and f32", build.construct(V3, [of(V2), of(F32)], None), V3),
    ("vec4 splat", build.construct(V4, [of(F32)], None), V4),
    ("mat2x3 of columns", build.construct(M23, [of(V3)] * 2, None), M23),
    ("mat2x3 of scalars", build.construct(M23, [of(F32)] * 6, None), M23),
    ("array", build.construct(Array(F32, 2), [of(F32)] * 2, None), Array(F32, 2)),
    ("struct", build.construct(PAIR, [of(F32), of(V3)], None), PAIR),
    ("swizzle", build.swizzle(of(V3), (2, 0), None), V2),
    ("component", build.swizzle(of(V3), (1,), None), F32),
    ("member", build.member(of(PAIR), "right", None), V3),
    ("element of a matrix", build.element(of(M23), of(I32), None), V3),
    ("element of a vector", build.element(of(V3), of(U32), None), F32),
    ("place of an element", build.element_of(place(Array(PAIR, 3)), of(U32), None), PAIR),
    ("place of a member", build.member_of(place(PAIR), "left", None), F32),
    ("place of a component", build.member_of(place(V3), "b", None), F32),
    ("place in a buffer", build.element_of(place(RuntimeArray(F16)), build.constant_index(10**6), None), F16),
]


@pytest.mark.parametrize(("what", "made", "type"), RESULTS, ids=[w for w, _, _ in RESULTS])
def test_results_have_their_type(what: str, made: Expr | build.Place, type: Type) -> None:
    del what
    assert made.type == type


def constant(value: int) -> Const:
    return Const(value, I32, None)


MISTAKES: list[tuple[str, Callable[[], object], str]] = [
    (
        "cannot add f32 and i32",
        lambda: build.binary(BinaryOp.ADD, of(F32), of(I32), None),
        "convert one side by name: .f32 on the right operand, or .i32 on the left",
    ),
    (
        "cannot multiply f32 by u32",
        lambda: build.binary(BinaryOp.MUL, of(F32), of(U32), None),
        "convert one side by name",
    ),
    ("cannot compare vec2<f32> and vec3<f32>", lambda: build.binary(BinaryOp.LT, of(V2), of(V3), None), ""),
    (
        "cannot shift u32 by i32",
        lambda: build.binary(BinaryOp.SHL, of(U32), of(I32), None),
        "the right side of a shift is u32",
    ),
    ("cannot apply & to f32 and f32", lambda: build.binary(BinaryOp.AND, of(F32), of(F32), None), ""),
    ("cannot apply - to u32", lambda: build.unary(UnaryOp.NEGATE, of(U32), None), "convert it first"),
    (
        "max does not take (f32, i32)",
        lambda: build.call(Builtin.MAX, [of(F32), of(I32)], None),
        "convert one side by name",
    ),
    ("dot does not take (f32, f32)", lambda: build.call(Builtin.DOT, [of(F32), of(F32)], None), ""),
    ("cannot convert vec3<f32> to f32", lambda: build.convert(of(V3), F32, None), "take its components"),
    (
        "cannot convert mat2x3<f32> to mat3x2<f32>",
        lambda: build.convert(of(M23), Matrix(3, 2, F32), None),
        "take its components",
    ),
    ("cannot bitcast bool to u32", lambda: build.bitcast(of(BOOL), U32, None), ""),
    ("cannot bitcast f32 to f16", lambda: build.bitcast(of(F32), F16, None), ""),
    ("cannot bitcast mat2x3<f32> to vec3<f32>", lambda: build.bitcast(of(M23), V3, None), ""),
    ("cannot construct vec3<f32>", lambda: build.construct(V3, [of(F32), of(F32)], None), ""),
    ("cannot construct vec3<f32>", lambda: build.construct(V3, [of(I32), of(F32), of(F32)], None), ""),
    ("cannot construct mat2x3<f32>", lambda: build.construct(M23, [of(V2)] * 2, None), ""),
    ("cannot construct array<f32, 2>", lambda: build.construct(Array(F32, 2), [of(F32)] * 3, None), ""),
    ("cannot construct Pair", lambda: build.construct(PAIR, [of(F32)], None), ""),
    ("cannot construct Pair", lambda: build.construct(PAIR, [of(V3), of(F32)], None), ""),
    ("Pair has no member middle", lambda: build.member(of(PAIR), "middle", None), ""),
    ("vec3<f32> has no member w", lambda: build.member_of(place(V3), "w", None), ""),
    ("f32 has no member x", lambda: build.member_of(place(F32), "x", None), ""),
    ("an index is i32 or u32, not f32", lambda: build.element(of(V3), of(F32), None), "convert it with .u32 or .i32"),
    ("f32 has no elements", lambda: build.element(of(F32), of(U32), None), "leave out the index"),
    ("index 3 is out of range", lambda: build.element(of(V3), constant(3), None), ""),
    ("index -1 is out of range", lambda: build.element_of(place(RuntimeArray(F32)), constant(-1), None), ""),
    ("index 2 is out of range", lambda: build.element(of(M23), constant(2), None), ""),
]


@pytest.mark.parametrize(
    ("message", "make", "hint"), MISTAKES, ids=[f"{n}-{m}" for n, (m, _, _) in enumerate(MISTAKES)]
)
def test_mistakes_are_the_users_and_say_what_to_do(message: str, make: Callable[[], object], hint: str) -> None:
    with pytest.raises(ShaderError) as caught:
        make()
    assert caught.value.message == message
    assert isinstance(caught.value, ConstantError if "out of range" in message else KernelTypeError)
    assert any(h.startswith(hint) for h in caught.value.hints) or not hint
    assert caught.value.hints or caught.value.notes or caught.value.label


def test_what_changes_nothing_is_left_out() -> None:
    value = of(F32)
    assert build.convert(value, F32, None) is value
    assert build.bitcast(value, F32, None) is value


def test_swizzle_names() -> None:
    assert build.components_of("zyx", 3) == (2, 1, 0)
    assert build.components_of("rgba", 4) == (0, 1, 2, 3)
    assert [build.components_of(n, 3) for n in ("w", "xr", "xyzxy", "", "s")] == [None] * 5


def test_our_own_mistakes_are_not_the_users() -> None:
    with pytest.raises(InternalError):
        build.swizzle(of(F32), (0,), None)
    with pytest.raises(InternalError):
        build.construct(F32, [of(F32)], None)
    with pytest.raises(InternalError):
        build.atomic_scalar(F32)
    assert not issubclass(InternalError, ShaderError)


def test_atomics_and_shifts() -> None:
    assert build.atomic_scalar(Atomic(I32)) == I32
    assert build.unsigned_like(Vector(3, I32)) == Vector(3, U32)
    assert build.unsigned_like(I32) == U32
