"""Vectors and matrices as geometry: `sd.dot(a, b)`, `sd.normalize(v)`, `sd.transpose(m)`."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from shaderdsl.ir.builtins import Builtin
from shaderdsl.lang.functions.kinds import V3, VF, VH, B, C, R, V
from shaderdsl.lang.matrices import (
    MatrixValue,
    mat2x2f,
    mat2x2h,
    mat2x3f,
    mat2x3h,
    mat2x4f,
    mat2x4h,
    mat3x2f,
    mat3x2h,
    mat3x3f,
    mat3x3h,
    mat3x4f,
    mat3x4h,
    mat4x2f,
    mat4x2h,
    mat4x3f,
    mat4x3h,
    mat4x4f,
    mat4x4h,
)
from shaderdsl.lang.operate import call
from shaderdsl.lang.scalars import f16, f32
from shaderdsl.lang.value import Value
from shaderdsl.lang.vectors import NumberVector

Square = TypeVar("Square", mat2x2f, mat2x2h, mat3x3f, mat3x3h, mat4x4f, mat4x4h)


def dot(a: NumberVector[C, B], b: NumberVector[C, B]) -> C:
    """The sum of products of components; integers wrap, floats add in any order."""
    return call(Builtin.DOT, a, b)


def cross(a: V3, b: V3) -> V3:
    """The vector product; as accurate as a[i]*b[j] - a[j]*b[i]."""
    return call(Builtin.CROSS, a, b)


@overload
def length(v: R) -> R: ...
@overload
def length(v: NumberVector[C, Any]) -> C: ...
def length(v: Value) -> object:
    """sqrt(dot(v, v)), which may overflow in between; the magnitude of a scalar."""
    return call(Builtin.LENGTH, v)


@overload
def distance(a: R | int | float, b: R | int | float) -> R: ...
@overload
def distance(a: NumberVector[C, B], b: NumberVector[C, B]) -> C: ...
def distance(a: object, b: object) -> object:
    """length(a - b)."""
    return call(Builtin.DISTANCE, a, b)


def normalize(v: V) -> V:
    """v / length(v), for v that is not zero."""
    return call(Builtin.NORMALIZE, v)


def reflect(incident: V, normal: V) -> V:
    """incident - 2 * dot(incident, normal) * normal; the normal has length 1."""
    return call(Builtin.REFLECT, incident, normal)


@overload
def refract(incident: V, normal: V, ratio: int | float) -> V: ...
@overload
def refract(incident: VF, normal: VF, ratio: f32) -> VF: ...
@overload
def refract(incident: VH, normal: VH, ratio: f16) -> VH: ...
def refract(incident: Value, normal: Value, ratio: object) -> object:
    """The refracted direction for a ratio of indices; zero where all is reflected. Both vectors have length 1."""
    return call(Builtin.REFRACT, incident, normal, ratio)


def face_forward(v: V, incident: V, reference: V) -> V:
    """v where dot(incident, reference) < 0, else -v."""
    return call(Builtin.FACE_FORWARD, v, incident, reference)


def determinant(m: MatrixValue[Any, C]) -> C:
    """The determinant of a square matrix; no bound on its accuracy."""
    return call(Builtin.DETERMINANT, m)


@overload
def transpose(m: Square) -> Square: ...
@overload
def transpose(m: mat2x3f) -> mat3x2f: ...
@overload
def transpose(m: mat2x3h) -> mat3x2h: ...
@overload
def transpose(m: mat2x4f) -> mat4x2f: ...
@overload
def transpose(m: mat2x4h) -> mat4x2h: ...
@overload
def transpose(m: mat3x2f) -> mat2x3f: ...
@overload
def transpose(m: mat3x2h) -> mat2x3h: ...
@overload
def transpose(m: mat3x4f) -> mat4x3f: ...
@overload
def transpose(m: mat3x4h) -> mat4x3h: ...
@overload
def transpose(m: mat4x2f) -> mat2x4f: ...
@overload
def transpose(m: mat4x2h) -> mat2x4h: ...
@overload
def transpose(m: mat4x3f) -> mat3x4f: ...
@overload
def transpose(m: mat4x3h) -> mat3x4h: ...
def transpose(m: Value) -> object:
    """Rows as columns, exact."""
    return call(Builtin.TRANSPOSE, m)
