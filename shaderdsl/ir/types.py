"""WGSL's types as frozen values, compared by structure (they are small trees, unlike expressions).

str(Vector(3, F32)) == "vec3<f32>"
str(RuntimeArray(F32)) == "array<f32>"
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class ScalarKind(Enum):
    """WGSL's concrete scalar types; the value is the spelling."""

    BOOL = "bool"
    I32 = "i32"
    U32 = "u32"
    F32 = "f32"
    F16 = "f16"


@dataclass(frozen=True, slots=True)
class Scalar:
    kind: ScalarKind

    def __str__(self) -> str:
        return self.kind.value


BOOL = Scalar(ScalarKind.BOOL)
I32 = Scalar(ScalarKind.I32)
U32 = Scalar(ScalarKind.U32)
F32 = Scalar(ScalarKind.F32)
F16 = Scalar(ScalarKind.F16)

FLOATS = (F32, F16)
INTEGERS = (I32, U32)
NUMERIC = (I32, U32, F32, F16)


@dataclass(frozen=True, slots=True)
class Vector:
    size: int
    scalar: Scalar

    def __str__(self) -> str:
        return f"vec{self.size}<{self.scalar}>"


@dataclass(frozen=True, slots=True)
class Matrix:
    """`columns` columns of `rows` rows, column-major as in WGSL; `m[c]` is a column."""

    columns: int
    rows: int
    scalar: Scalar

    @property
    def column(self) -> Vector:
        return Vector(self.rows, self.scalar)

    def __str__(self) -> str:
        return f"mat{self.columns}x{self.rows}<{self.scalar}>"


@dataclass(frozen=True, slots=True)
class Atomic:
    """An i32 or u32 that is only touched by atomic operations."""

    scalar: Scalar

    def __str__(self) -> str:
        return f"atomic<{self.scalar}>"


@dataclass(frozen=True, slots=True)
class Array:
    """A fixed-size array."""

    element: Type
    count: int

    def __str__(self) -> str:
        return f"array<{self.element}, {self.count}>"


@dataclass(frozen=True, slots=True)
class RuntimeArray:
    """A storage buffer's array, whose length is its binding's."""

    element: Type

    def __str__(self) -> str:
        return f"array<{self.element}>"


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Struct:
    """A structure; `builtin` marks WGSL's predeclared result types (of frexp, modf, atomicCompareExchangeWeak), which have no spelling."""

    name: str
    members: tuple[Member, ...]
    builtin: bool = False

    def member(self, name: str) -> Member | None:
        return next((m for m in self.members if m.name == name), None)

    def __str__(self) -> str:
        return self.name


Type: TypeAlias = Scalar | Vector | Matrix | Atomic | Array | RuntimeArray | Struct


def scalar_of(type: Type) -> Scalar | None:
    """The component type of a scalar, vector or matrix; None for everything else."""
    match type:
        case Scalar():
            return type
        case Vector(_, scalar) | Matrix(_, _, scalar):
            return scalar
        case _:
            return None


def with_scalar(shape: Type, scalar: Scalar) -> Type:
    """A type of `shape`'s form with another component type: `vec3<f32>` and bool give `vec3<bool>`."""
    match shape:
        case Vector(size, _):
            return Vector(size, scalar)
        case Matrix(columns, rows, _):
            return Matrix(columns, rows, scalar)
        case _:
            return scalar


def is_float(type: Type) -> bool:
    return scalar_of(type) in FLOATS


def is_integer(type: Type) -> bool:
    return scalar_of(type) in INTEGERS


def holds_atomic(type: Type) -> bool:
    """Whether an atomic is in `type`, which can then be neither copied nor private."""
    match type:
        case Atomic():
            return True
        case Array(element, _) | RuntimeArray(element):
            return holds_atomic(element)
        case Struct(_, members, _):
            return any(holds_atomic(m.type) for m in members)
        case _:
            return False


def mentions(type: Type, scalar: Scalar) -> bool:
    """Whether `scalar` occurs anywhere in `type`: what asks for `enable f16`."""
    match type:
        case Array(element, _) | RuntimeArray(element):
            return mentions(element, scalar)
        case Struct(_, members, _):
            return any(mentions(m.type, scalar) for m in members)
        case Atomic(inner):
            return inner == scalar
        case _:
            return scalar_of(type) == scalar
