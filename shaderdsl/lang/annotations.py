"""Types as users spell them: `f32`, `sd.vec3f`, a struct's class, `sd.Atomic[u32]`, `Annotated[sd.Array[f32], 4]`."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

from shaderdsl.errors import SignatureError
from shaderdsl.ir import types
from shaderdsl.ir.types import INTEGERS, Type
from shaderdsl.lang.operate import index_value
from shaderdsl.lang.place import Atomic
from shaderdsl.lang.scalars import i32, u32
from shaderdsl.lang.value import CLASSES, Value
from shaderdsl.source import Loc

T = TypeVar("T")


class Array(Value, Generic[T]):
    """A fixed-size array as a value or a structure's member: `Annotated[sd.Array[f32], 4]`."""

    __slots__ = ()

    def __getitem__(self, index: u32 | i32 | int) -> T:
        return index_value(self, index)


def type_of(annotation: Any, loc: Loc | None) -> Type:
    """The type that an annotation spells."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return annotated_array(annotation, loc)
    if origin is Atomic:
        inner = type_of(get_args(annotation)[0], loc)
        if not isinstance(inner, types.Scalar) or inner not in INTEGERS:
            raise SignatureError(f"an atomic holds i32 or u32, not {inner}", loc)
        return types.Atomic(inner)
    if isinstance(annotation, type) and issubclass(annotation, Value) and hasattr(annotation, "type"):
        return annotation.type
    raise SignatureError(
        f"{spell(annotation)} is not a type of a kernel",
        loc,
        notes=[
            "types are bool_, i32, u32, f32, f16, vectors (sd.vec3f), matrices (sd.mat2x2f), @sd.struct classes, sd.Atomic[u32]"
        ],
        hints=python_hint(annotation),
    )


def annotated_array(annotation: object, loc: Loc | None) -> Type:
    base, *extras = get_args(annotation)
    if get_origin(base) is not Array or len(extras) != 1 or not isinstance(extras[0], int) or extras[0] < 1:
        raise SignatureError("an array is spelled Annotated[sd.Array[f32], 4]", loc)
    array = types.Array(type_of(get_args(base)[0], loc), extras[0])
    if array not in CLASSES:
        CLASSES[array] = type("Array", (Array,), {"__slots__": (), "type": array})
    return array


def spell(annotation: Any) -> str:
    name: Any = getattr(annotation, "__name__", None)
    return name if isinstance(name, str) else repr(annotation)


def python_hint(annotation: Any) -> list[str]:
    better = {int: "i32 or u32", float: "f32", bool: "sd.bool_"}.get(annotation)
    return [f"write {better}"] if better else []
