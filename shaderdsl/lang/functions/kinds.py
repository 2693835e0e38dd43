"""Type variables of the builtin functions, and Python numbers that stand beside vectors.

F: floats and their vectors. N: numbers and their vectors. I: integers and their vectors. C: components. R: float scalars.
"""

from __future__ import annotations

from typing import Any, TypeVar

from shaderdsl.ir.types import I32, Scalar, Type, scalar_of, with_scalar
from shaderdsl.lang.operate import construct
from shaderdsl.lang.scalars import bool_, f16, f32, i32, u32
from shaderdsl.lang.value import Value
from shaderdsl.lang.vectors import (
    vec2b,
    vec2f,
    vec2h,
    vec2i,
    vec2u,
    vec3b,
    vec3f,
    vec3h,
    vec3i,
    vec3u,
    vec4b,
    vec4f,
    vec4h,
    vec4i,
    vec4u,
)

F = TypeVar("F", f32, f16, vec2f, vec2h, vec3f, vec3h, vec4f, vec4h)
V = TypeVar("V", vec2f, vec2h, vec3f, vec3h, vec4f, vec4h)
VF = TypeVar("VF", vec2f, vec3f, vec4f)
VH = TypeVar("VH", vec2h, vec3h, vec4h)
V2 = TypeVar("V2", vec2f, vec2h)
V3 = TypeVar("V3", vec3f, vec3h)
V4 = TypeVar("V4", vec4f, vec4h)
R = TypeVar("R", f32, f16)
C = TypeVar("C", bound=Value)
B = TypeVar("B", bound=Value)
I = TypeVar("I", i32, u32, vec2i, vec2u, vec3i, vec3u, vec4i, vec4u)  # noqa: E741 (the family of integers)
S = TypeVar("S", i32, f32, f16, vec2i, vec2f, vec2h, vec3i, vec3f, vec3h, vec4i, vec4f, vec4h)
N = TypeVar(
    "N",
    i32,
    u32,
    f32,
    f16,
    vec2i,
    vec2u,
    vec2f,
    vec2h,
    vec3i,
    vec3u,
    vec3f,
    vec3h,
    vec4i,
    vec4u,
    vec4f,
    vec4h,
)
T = TypeVar(
    "T",
    bool_,
    i32,
    u32,
    f32,
    f16,
    vec2b,
    vec2i,
    vec2u,
    vec2f,
    vec2h,
    vec3b,
    vec3i,
    vec3u,
    vec3f,
    vec3h,
    vec4b,
    vec4i,
    vec4u,
    vec4f,
    vec4h,
)


def beside(number: object, *values: object) -> Any:
    """A Python number as a vector where the first traced of `values` is one: `sd.mix(v, 1, 0.5)` mixes with `(1, 1, 1)`."""
    like = type_among(values)
    if isinstance(number, Value) or like is None or isinstance(like, Scalar):
        return number
    return construct(like, [number])


def exponent_of(number: object, value: Value) -> Any:
    """A Python int as the i32, or vector of i32, that belongs to `value`."""
    like = value._expr.type
    if isinstance(number, Value) or isinstance(like, Scalar):
        return number
    return construct(with_scalar(like, I32), [number])


def type_among(values: tuple[object, ...]) -> Type | None:
    """The type of the first traced scalar or vector."""
    types = (v._expr.type for v in values if isinstance(v, Value))
    return next((t for t in types if scalar_of(t) is not None), None)
