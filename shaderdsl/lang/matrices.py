"""Matrices: mat2x2f to mat4x4h, column-major as in WGSL; `*` multiplies matrices, vectors and scalars.

sd.mat2x2f(c0, c1) * v      m[0] is the first column
"""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F16, F32, Matrix
from shaderdsl.lang.operate import construct, index_value, operate
from shaderdsl.lang.scalars import f16, f32, i32, u32
from shaderdsl.lang.value import Value, attach, register
from shaderdsl.lang.vectors import vec2f, vec2h, vec3f, vec3h, vec4f, vec4h

C = TypeVar("C", bound=Value)
S = TypeVar("S", bound=Value)


class MatrixValue(Value, Generic[C, S]):
    """Columns C of components S, from columns or from all components in column order."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __init__(self, *parts: Value | int | float) -> None:
        attach(self, construct(type(self).type, parts)._expr)

    def __getitem__(self, column: u32 | i32 | int) -> C:
        return index_value(self, column)

    def __add__(self, other: Self) -> Self:
        return operate(BinaryOp.ADD, self, other)

    def __sub__(self, other: Self) -> Self:
        return operate(BinaryOp.SUB, self, other)

    def __mul__(self, other: Value | int | float) -> Any:
        """With a scalar a matrix, with a vector a vector of rows, with a matrix their product."""
        return operate(BinaryOp.MUL, self, other)

    def __rmul__(self, other: Value | int | float) -> Any:
        return operate(BinaryOp.MUL, other, self)


@register
class mat2x2f(MatrixValue[vec2f, f32]):  # noqa: N801
    """2 columns of 2 rows of f32."""

    __slots__ = ()
    type = Matrix(2, 2, F32)


@register
class mat2x2h(MatrixValue[vec2h, f16]):  # noqa: N801
    """2 columns of 2 rows of f16."""

    __slots__ = ()
    type = Matrix(2, 2, F16)


@register
class mat2x3f(MatrixValue[vec3f, f32]):  # noqa: N801
    """2 columns of 3 rows of f32."""

    __slots__ = ()
    type = Matrix(2, 3, F32)


@register
class mat2x3h(MatrixValue[vec3h, f16]):  # noqa: N801
    """2 columns of 3 rows of f16."""

    __slots__ = ()
    type = Matrix(2, 3, F16)


@register
class mat2x4f(MatrixValue[vec4f, f32]):  # noqa: N801
    """2 columns of 4 rows of f32."""

    __slots__ = ()
    type = Matrix(2, 4, F32)


@register
class mat2x4h(MatrixValue[vec4h, f16]):  # noqa: N801
    """2 columns of 4 rows of f16."""

    __slots__ = ()
    type = Matrix(2, 4, F16)


@register
class mat3x2f(MatrixValue[vec2f, f32]):  # noqa: N801
    """3 columns of 2 rows of f32."""

    __slots__ = ()
    type = Matrix(3, 2, F32)


@register
class mat3x2h(MatrixValue[vec2h, f16]):  # noqa: N801
    """3 columns of 2 rows of f16."""

    __slots__ = ()
    type = Matrix(3, 2, F16)


@register
class mat3x3f(MatrixValue[vec3f, f32]):  # noqa: N801
    """3 columns of 3 rows of f32."""

    __slots__ = ()
    type = Matrix(3, 3, F32)


@register
class mat3x3h(MatrixValue[vec3h, f16]):  # noqa: N801
    """3 columns of 3 rows of f16."""

    __slots__ = ()
    type = Matrix(3, 3, F16)


@register
class mat3x4f(MatrixValue[vec4f, f32]):  # noqa: N801
    """3 columns of 4 rows of f32."""

    __slots__ = ()
    type = Matrix(3, 4, F32)


@register
class mat3x4h(MatrixValue[vec4h, f16]):  # noqa: N801
    """3 columns of 4 rows of f16."""

    __slots__ = ()
    type = Matrix(3, 4, F16)


@register
class mat4x2f(MatrixValue[vec2f, f32]):  # noqa: N801
    """4 columns of 2 rows of f32."""

    __slots__ = ()
    type = Matrix(4, 2, F32)


@register
class mat4x2h(MatrixValue[vec2h, f16]):  # noqa: N801
    """4 columns of 2 rows of f16."""

    __slots__ = ()
    type = Matrix(4, 2, F16)


@register
class mat4x3f(MatrixValue[vec3f, f32]):  # noqa: N801
    """4 columns of 3 rows of f32."""

    __slots__ = ()
    type = Matrix(4, 3, F32)


@register
class mat4x3h(MatrixValue[vec3h, f16]):  # noqa: N801
    """4 columns of 3 rows of f16."""

    __slots__ = ()
    type = Matrix(4, 3, F16)


@register
class mat4x4f(MatrixValue[vec4f, f32]):  # noqa: N801
    """4 columns of 4 rows of f32."""

    __slots__ = ()
    type = Matrix(4, 4, F32)


@register
class mat4x4h(MatrixValue[vec4h, f16]):  # noqa: N801
    """4 columns of 4 rows of f16."""

    __slots__ = ()
    type = Matrix(4, 4, F16)
