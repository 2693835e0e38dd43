"""How values cross from numpy to devices and to the interpreter, by the one layout engine.

| element       | numpy array for axes (n, m)                                     |
| scalar        | shape (n, m)                                                    |
| vector, matrix| shape (n, m, components), (n, m, columns, rows)                 |
| array         | shape (n, m, count, ...)                                        |
| struct        | shape (n, m) of `struct_dtype`: the device's own bytes          |

Inside a structure, three-component columns and vectors in arrays take four places as on the device; the fourth is padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import InternalError
from shaderdsl.ir.layout import struct_layout
from shaderdsl.ir.types import Array, Atomic, Matrix, RuntimeArray, Scalar, Struct, Type, Vector
from shaderdsl.numeric.values import DTYPES

Memory: TypeAlias = "NDArray[Any] | tuple[Memory, ...]"
"""The interpreter's form: an array for each leaf, a tuple for each structure."""


def base_dtype(type: Type) -> np.dtype[Any]:
    """The numpy type of the numbers that an element is made of; a structure's whole record."""
    match type:
        case Scalar():
            return np.dtype(DTYPES[type])
        case Vector(_, scalar) | Matrix(_, _, scalar) | Atomic(scalar):
            return base_dtype(scalar)
        case Array(element, _) | RuntimeArray(element):
            return base_dtype(element)
        case Struct():
            return struct_dtype(type)


def logical_shape(type: Type) -> tuple[int, ...]:
    """The axes that one element adds to a host array."""
    match type:
        case Vector(size, _):
            return (size,)
        case Matrix(columns, rows, _):
            return (columns, rows)
        case Array(element, count):
            return (count, *logical_shape(element))
        case Scalar() | Atomic() | Struct():
            return ()
        case RuntimeArray():
            raise InternalError("a runtime-sized array inside an element")


def stored_shape(type: Type, *, outermost: bool = True) -> tuple[int, ...]:
    """The same with padding: a vec3 takes four places wherever something of its kind follows it."""
    match type:
        case Vector(3, _) if not outermost:
            return (4,)
        case Matrix(columns, rows, _):
            return (columns, 4 if rows == 3 else rows)
        case Array(element, count):
            return (count, *stored_shape(element, outermost=False))
        case _:
            return logical_shape(type)


def struct_dtype(struct: Struct) -> np.dtype[Any]:
    """The structure as a numpy record with WGSL's offsets and size."""
    layout = struct_layout(struct)
    formats = [(base_dtype(m.type), stored_shape(m.type)) for m in struct.members]
    names = [m.name for m in struct.members]
    return np.dtype({"names": names, "formats": formats, "offsets": list(layout.offsets), "itemsize": layout.size})


def to_device(array: NDArray[Any], element: Type) -> NDArray[Any]:
    """The bytes of a storage buffer for a host array of `element`: the array itself, or a padded copy."""
    inner = logical_shape(element)
    stored = stored_shape(element, outermost=False)
    if inner == stored:
        return np.ascontiguousarray(array)
    axes = array.shape[: array.ndim - len(inner)]
    padded = np.zeros((*axes, *stored), array.dtype)
    padded[..., : inner[-1]] = array
    return padded


def from_device(content: NDArray[np.uint8], element: Type, axes: Sequence[int]) -> NDArray[Any]:
    """A host array from a storage buffer's bytes."""
    stored = stored_shape(element, outermost=False)
    array = content.view(base_dtype(element)).reshape((*axes, *stored))
    inner = logical_shape(element)
    return array if inner == stored else np.ascontiguousarray(array[..., : inner[-1]])


def device_bytes(element: Type, count: int) -> int:
    """Bytes of a storage buffer of `count` elements."""
    size = base_dtype(element).itemsize
    for extent in stored_shape(element, outermost=False):
        size *= extent
    return size * count


def to_memory(array: NDArray[Any], type: Type) -> Memory:
    """The interpreter's copy of a host array of `type`, whatever axes come first."""
    match type:
        case Struct(_, members, _):
            return tuple(to_memory(member_array(array, m.name, m.type), m.type) for m in members)
        case Array(Struct() | Array() as element, _):
            return to_memory(array, element)
        case _:
            return array.copy()


def member_array(array: NDArray[Any], name: str, type: Type) -> NDArray[Any]:
    """A record's field without its padding."""
    field = array[name]
    inner = logical_shape(type)
    return field if inner == stored_shape(type) else field[..., : inner[-1]]


def from_memory(memory: Memory, type: Type, axes: tuple[int, ...]) -> NDArray[Any]:
    """A host array over `axes` from the interpreter's memory."""
    match type, memory:
        case Struct(), tuple():
            record = np.zeros(axes, struct_dtype(type))
            for member, part in zip(type.members, memory):
                member_array(record, member.name, member.type)[...] = from_memory(part, member.type, axes)
            return record
        case Array(element, count), tuple():
            return from_memory(memory, element, (*axes, count))
        case _, np.ndarray():
            return memory
        case _:
            raise InternalError(f"memory of {type}")


def zeros(type: Type, batch: tuple[int, ...]) -> Memory:
    """Zeroed memory of `type`, one for each point of `batch`."""
    match type:
        case Struct(_, members, _):
            return tuple(zeros(m.type, batch) for m in members)
        case Array(element, count):
            return zeros(element, (*batch, count))
        case _:
            return np.zeros((*batch, *logical_shape(type)), base_dtype(type))
