"""How WGSL spells types and constants."""

from __future__ import annotations

from shaderdsl.errors import InternalError
from shaderdsl.ir.expr import Const
from shaderdsl.ir.types import Array, Atomic, Matrix, RuntimeArray, Scalar, ScalarKind, Struct, Type, Vector
from shaderdsl.wgsl.literals import format_scalar
from shaderdsl.wgsl.names import Names

SUFFIX = {ScalarKind.F32: "f", ScalarKind.F16: "h", ScalarKind.I32: "i", ScalarKind.U32: "u"}


def type_text(type: Type, names: Names) -> str:
    """`vec3f`, `array<f32, 64>`, a structure's name."""
    match type:
        case Scalar(kind):
            return kind.value
        case Vector(size, Scalar(ScalarKind.BOOL)):
            return f"vec{size}<bool>"
        case Vector(size, scalar):
            return f"vec{size}{SUFFIX[scalar.kind]}"
        case Matrix(columns, rows, scalar):
            return f"mat{columns}x{rows}{SUFFIX[scalar.kind]}"
        case Atomic(scalar):
            return f"atomic<{scalar.kind.value}>"
        case Array(element, count):
            return f"array<{type_text(element, names)}, {count}>"
        case RuntimeArray(element):
            return f"array<{type_text(element, names)}>"
        case Struct(name, _, builtin):
            if builtin:
                raise InternalError(f"{name} has no spelling in WGSL")
            return names.of(type)


def const_text(const: Const) -> str:
    """A literal with its suffix."""
    if not isinstance(const.type, Scalar):
        raise InternalError(f"a constant of {const.type}")
    return format_scalar(const.value, const.type)
