"""The one layout engine: size, alignment and offsets of WGSL's host-shareable types, used by emission, host packing and tests.

    size_of(Vector(3, F32)) == 12, align_of(Vector(3, F32)) == 16, stride_of(Vector(3, F32)) == 16

Source: the WGSL specification, sections "Alignment and Size" and "Address Space Layout Constraints".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

from shaderdsl.errors import InternalError
from shaderdsl.ir.types import (
    U32,
    Array,
    Atomic,
    Matrix,
    Member,
    RuntimeArray,
    Scalar,
    ScalarKind,
    Struct,
    Type,
    Vector,
)

SCALAR_SIZE = {ScalarKind.I32: 4, ScalarKind.U32: 4, ScalarKind.F32: 4, ScalarKind.F16: 2, ScalarKind.BOOL: 4}
"""Bytes of a scalar. A bool cannot be shared with the host; 4 is what it counts for in workgroup memory."""


def round_up(value: int, multiple: int) -> int:
    """The least multiple of `multiple` that is not below `value`."""
    return -(-value // multiple) * multiple


def align_of(type: Type) -> int:
    """The alignment of a type in bytes."""
    match type:
        case Scalar(kind):
            return SCALAR_SIZE[kind]
        case Atomic():
            return 4
        case Vector(size, scalar):
            return SCALAR_SIZE[scalar.kind] * (2 if size == 2 else 4)
        case Matrix():
            return align_of(type.column)
        case Array(element, _) | RuntimeArray(element):
            return align_of(element)
        case Struct(_, members, _):
            return max((align_of(m.type) for m in members), default=1)


def size_of(type: Type) -> int:
    """The size of a type in bytes; a runtime-sized array's is that of one element, the least that a binding holds."""
    match type:
        case Scalar(kind):
            return SCALAR_SIZE[kind]
        case Atomic():
            return 4
        case Vector(size, scalar):
            return SCALAR_SIZE[scalar.kind] * size
        case Matrix(columns, _, _):
            return columns * stride_of(type.column)
        case Array(element, count):
            return count * stride_of(element)
        case RuntimeArray(element):
            return stride_of(element)
        case Struct():
            return struct_layout(type).size


def stride_of(element: Type) -> int:
    """The distance between neighbours of an array of `element`, in bytes."""
    return round_up(size_of(element), align_of(element))


@dataclass(frozen=True, slots=True)
class StructLayout:
    """Byte offsets of a structure's members in order, and its size rounded to its alignment."""

    offsets: tuple[int, ...]
    size: int


def struct_layout(struct: Struct) -> StructLayout:
    """Lay members out in order, each at the next multiple of its alignment."""
    offsets: list[int] = []
    end = 0
    for member in struct.members:
        offset = round_up(end, align_of(member.type))
        offsets.append(offset)
        end = offset + size_of(member.type)
    return StructLayout(tuple(offsets), round_up(end, align_of(struct)))


def host_shareable(type: Type) -> bool:
    """Whether a type may lie in storage or uniform memory: no bool anywhere."""
    match type:
        case Scalar(kind):
            return kind is not ScalarKind.BOOL
        case Vector(_, scalar) | Matrix(_, _, scalar):
            return scalar.kind is not ScalarKind.BOOL
        case Atomic():
            return True
        case Array(element, _) | RuntimeArray(element):
            return host_shareable(element)
        case Struct(_, members, builtin):
            return not builtin and all(host_shareable(m.type) for m in members)


def uniform_fault(type: Type) -> str | None:
    """Why a type may not lie in uniform memory, or None: array strides and struct members in it are multiples of 16."""
    match type:
        case Array(element, _):
            if stride_of(element) % 16:
                return (
                    f"{type} has a stride of {stride_of(element)} bytes, and uniform memory asks for a multiple of 16"
                )
            return uniform_fault(element)
        case Struct(_, members, _):
            return next((fault for m in members if (fault := uniform_fault(m.type))), None) or nested_fault(type)
        case RuntimeArray() | Atomic():
            return f"{type} cannot lie in uniform memory"
        case Scalar() | Vector() | Matrix():
            return None


def nested_fault(struct: Struct) -> str | None:
    """A struct inside a uniform struct starts at a multiple of 16, and what follows it lies at least its size rounded to 16 away."""
    offsets = struct_layout(struct).offsets
    for index, (member, offset) in enumerate(zip(struct.members, offsets)):
        if not isinstance(member.type, Struct | Array):
            continue
        following = offsets[index + 1] if index + 1 < len(offsets) else offset + round_up(size_of(member.type), 16)
        if offset % 16 or following < offset + round_up(size_of(member.type), 16):
            return (
                f"member {member.name} of {struct} does not fill a multiple of 16 bytes, which uniform memory asks for"
            )
    return None


def uniform_members(members: Sequence[Member]) -> tuple[Member, ...]:
    """Members of a uniform struct with the padding that structures and arrays among them ask for, called `padding`, `padding_1`..."""
    placed: list[Member] = []
    names = (n for n in numbered("padding") if n not in {m.name for m in members})
    end = least = 0
    for member in members:
        align = align_of(member.type)
        whole = isinstance(member.type, Struct | Array)
        if round_up(end, align) < least:  # only a member that is aligned to 16 may follow
            placed.append(Member(next(names), Vector(4, U32)))
            end = least + 16
        while whole and round_up(end, align) % 16:
            placed.append(Member(next(names), U32))
            end = round_up(end, 4) + 4
        placed.append(member)
        end = round_up(end, align) + size_of(member.type)
        least = round_up(end, 16) if whole else 0
    return tuple(placed)


def numbered(name: str) -> Iterator[str]:
    """name, name_1, name_2 and so on."""
    return chain([name], (f"{name}_{n}" for n in count(1)))


def workgroup_bytes(types: list[Type]) -> int:
    """Workgroup memory of variables of `types`, each rounded up to 16 bytes as WebGPU counts it."""
    return sum(round_up(size_of(t), 16) for t in types)


def need_runtime(type: Type) -> RuntimeArray:
    """The type as a runtime-sized array, which every storage parameter's is."""
    if not isinstance(type, RuntimeArray):
        raise InternalError(f"{type} is not a storage buffer's type")
    return type
