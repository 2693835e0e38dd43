"""Vectors and matrices: vec2f to vec4h, vec2b to vec4b, mat2x2f to mat4x4h, by WGSL's short names.

v = sd.vec3f(x, y, 1.0)      v.xz      v * 2.0      sd.mat2x2f(c0, c1) * w
"""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from shaderdsl.ir import types
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Vector, with_scalar
from shaderdsl.lang.operate import apply, cast, component, construct, divide, index_value, operate
from shaderdsl.lang.scalars import bool_, f16, f32, i32, u32
from shaderdsl.lang.value import Value, attach, register

S = TypeVar("S", bound=Value)
B = TypeVar("B", bound=Value)


class VectorValue(Value, Generic[S, B]):
    """Components x, y, z, w (or r, g, b, a), swizzles of up to four, and componentwise operators."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __init__(self, *components: Value | bool | int | float) -> None:
        target = type(self).type
        if (
            len(components) == 1
            and isinstance(components[0], Value)
            and components[0]._expr.type != types.scalar_of(target)
        ):
            attach(self, cast(components[0], target)._expr)
        else:
            attach(self, construct(target, components)._expr)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return component(self, name)

    def __getitem__(self, index: u32 | i32 | int) -> S:
        return index_value(self, index)

    @property
    def x(self) -> S:
        return component(self, "x")

    @property
    def y(self) -> S:
        return component(self, "y")

    def __eq__(self, other: Self | S) -> B:  # pyright: ignore[reportIncompatibleMethodOverride] # type: ignore[override]
        return operate(BinaryOp.EQ, self, other)

    def __ne__(self, other: Self | S) -> B:  # pyright: ignore[reportIncompatibleMethodOverride] # type: ignore[override]
        return operate(BinaryOp.NE, self, other)


class NumberVector(VectorValue[S, B]):
    """Arithmetic of vectors with vectors, and with scalars on either side."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __add__(self, other: Self | S | int | float) -> Self:
        return operate(BinaryOp.ADD, self, other)

    def __radd__(self, other: S | int | float) -> Self:
        return operate(BinaryOp.ADD, other, self)

    def __sub__(self, other: Self | S | int | float) -> Self:
        return operate(BinaryOp.SUB, self, other)

    def __rsub__(self, other: S | int | float) -> Self:
        return operate(BinaryOp.SUB, other, self)

    def __mul__(self, other: Self | S | int | float) -> Self:
        return operate(BinaryOp.MUL, self, other)

    def __rmul__(self, other: S | int | float) -> Self:
        return operate(BinaryOp.MUL, other, self)

    def __truediv__(self, other: Self | S | int | float) -> Self:
        return divide(BinaryOp.DIV, self, other, "/")

    def __rtruediv__(self, other: S | int | float) -> Self:
        return divide(BinaryOp.DIV, other, self, "/")

    def __floordiv__(self, other: Self | S | int | float) -> Self:
        return divide(BinaryOp.DIV, self, other, "//")

    def __rfloordiv__(self, other: S | int | float) -> Self:
        return divide(BinaryOp.DIV, other, self, "//")

    def __mod__(self, other: Self | S | int | float) -> Self:
        return divide(BinaryOp.REM, self, other, "%")

    def __rmod__(self, other: S | int | float) -> Self:
        return divide(BinaryOp.REM, other, self, "%")

    def __neg__(self) -> Self:
        return apply(UnaryOp.NEGATE, self)

    def __pos__(self) -> Self:
        return self

    def __lt__(self, other: Self) -> B:
        return operate(BinaryOp.LT, self, other)

    def __le__(self, other: Self) -> B:
        return operate(BinaryOp.LE, self, other)

    def __gt__(self, other: Self) -> B:
        return operate(BinaryOp.GT, self, other)

    def __ge__(self, other: Self) -> B:
        return operate(BinaryOp.GE, self, other)

    @property
    def f32(self) -> Any:
        """Converted componentwise to f32."""
        return cast(self, with_scalar(type(self).type, F32))

    @property
    def f16(self) -> Any:
        """Converted componentwise to f16."""
        return cast(self, with_scalar(type(self).type, F16))

    @property
    def i32(self) -> Any:
        """Converted componentwise to i32."""
        return cast(self, with_scalar(type(self).type, I32))

    @property
    def u32(self) -> Any:
        """Converted componentwise to u32."""
        return cast(self, with_scalar(type(self).type, U32))


class IntegerVector(NumberVector[S, B]):
    """Bit operations of integer vectors; a shift's right side is a vector of u32."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __and__(self, other: Self | int) -> Self:
        return operate(BinaryOp.AND, self, as_vector(self, other))

    def __or__(self, other: Self | int) -> Self:
        return operate(BinaryOp.OR, self, as_vector(self, other))

    def __xor__(self, other: Self | int) -> Self:
        return operate(BinaryOp.XOR, self, as_vector(self, other))

    def __lshift__(self, other: Value | int) -> Self:
        return operate(BinaryOp.SHL, self, as_shift(self, other))

    def __rshift__(self, other: Value | int) -> Self:
        return operate(BinaryOp.SHR, self, as_shift(self, other))

    def __invert__(self) -> Self:
        return apply(UnaryOp.COMPLEMENT, self)


class BoolVector(VectorValue[bool_, B]):
    """Componentwise logic; reduce with sd.all and sd.any."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __and__(self, other: Self) -> Self:
        return operate(BinaryOp.AND, self, other)

    def __or__(self, other: Self) -> Self:
        return operate(BinaryOp.OR, self, other)

    def __invert__(self) -> Self:
        return apply(UnaryOp.NOT, self)


def as_vector(vector: Value, other: object) -> object:
    """A Python int beside a vector, as a vector of it."""
    return construct(type(vector).type, [other]) if isinstance(other, int) else other


def as_shift(vector: Value, other: object) -> object:
    """A Python int as the vector of u32 that a shift takes."""
    return construct(with_scalar(type(vector).type, U32), [other]) if isinstance(other, int) else other


@register
class vec2f(NumberVector[f32, "vec2b"]):  # noqa: N801
    """2 components of f32."""

    __slots__ = ()
    type = Vector(2, F32)


@register
class vec2h(NumberVector[f16, "vec2b"]):  # noqa: N801
    """2 components of f16."""

    __slots__ = ()
    type = Vector(2, F16)


@register
class vec2i(IntegerVector[i32, "vec2b"]):  # noqa: N801
    """2 components of i32."""

    __slots__ = ()
    type = Vector(2, I32)


@register
class vec2u(IntegerVector[u32, "vec2b"]):  # noqa: N801
    """2 components of u32."""

    __slots__ = ()
    type = Vector(2, U32)


@register
class vec2b(BoolVector["vec2b"]):  # noqa: N801
    """2 components of bool."""

    __slots__ = ()
    type = Vector(2, BOOL)


@register
class vec3f(NumberVector[f32, "vec3b"]):  # noqa: N801
    """3 components of f32."""

    __slots__ = ()
    type = Vector(3, F32)

    @property
    def z(self) -> f32:
        return component(self, "z")


@register
class vec3h(NumberVector[f16, "vec3b"]):  # noqa: N801
    """3 components of f16."""

    __slots__ = ()
    type = Vector(3, F16)

    @property
    def z(self) -> f16:
        return component(self, "z")


@register
class vec3i(IntegerVector[i32, "vec3b"]):  # noqa: N801
    """3 components of i32."""

    __slots__ = ()
    type = Vector(3, I32)

    @property
    def z(self) -> i32:
        return component(self, "z")


@register
class vec3u(IntegerVector[u32, "vec3b"]):  # noqa: N801
    """3 components of u32."""

    __slots__ = ()
    type = Vector(3, U32)

    @property
    def z(self) -> u32:
        return component(self, "z")


@register
class vec3b(BoolVector["vec3b"]):  # noqa: N801
    """3 components of bool."""

    __slots__ = ()
    type = Vector(3, BOOL)

    @property
    def z(self) -> bool_:
        return component(self, "z")


@register
class vec4f(NumberVector[f32, "vec4b"]):  # noqa: N801
    """4 components of f32."""

    __slots__ = ()
    type = Vector(4, F32)

    @property
    def z(self) -> f32:
        return component(self, "z")

    @property
    def w(self) -> f32:
        return component(self, "w")


@register
class vec4h(NumberVector[f16, "vec4b"]):  # noqa: N801
    """4 components of f16."""

    __slots__ = ()
    type = Vector(4, F16)

    @property
    def z(self) -> f16:
        return component(self, "z")

    @property
    def w(self) -> f16:
        return component(self, "w")


@register
class vec4i(IntegerVector[i32, "vec4b"]):  # noqa: N801
    """4 components of i32."""

    __slots__ = ()
    type = Vector(4, I32)

    @property
    def z(self) -> i32:
        return component(self, "z")

    @property
    def w(self) -> i32:
        return component(self, "w")


@register
class vec4u(IntegerVector[u32, "vec4b"]):  # noqa: N801
    """4 components of u32."""

    __slots__ = ()
    type = Vector(4, U32)

    @property
    def z(self) -> u32:
        return component(self, "z")

    @property
    def w(self) -> u32:
        return component(self, "w")


@register
class vec4b(BoolVector["vec4b"]):  # noqa: N801
    """4 components of bool."""

    __slots__ = ()
    type = Vector(4, BOOL)

    @property
    def z(self) -> bool_:
        return component(self, "z")

    @property
    def w(self) -> bool_:
        return component(self, "w")
