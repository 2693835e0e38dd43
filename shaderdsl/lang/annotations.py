"""Types as users spell them: `f32`, `sd.vec3f`, a struct's class, `sd.Atomic[u32]`, `Annotated[sd.Array[f32], 4]`."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

from shaderdsl.errors import KernelTypeError, Location, SignatureError
from shaderdsl.ir import build, types
from shaderdsl.ir.types import INTEGERS, Type
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import expect, index_value
from shaderdsl.lang.place import Atomic
from shaderdsl.lang.scalars import i32, u32
from shaderdsl.lang.value import CLASSES, Value, attach, expr_of, let

T = TypeVar("T")


class Array(Value, Generic[T]):
    """A fixed-size array as a value or a structure's member: `Annotated[sd.Array[f32], 4]`, made by `sd.Array(a, b, 0.5, 1)`."""

    __slots__ = ()

    def __init__(self, *elements: T | bool | int | float) -> None:
        loc = here()
        first = next((e for e in elements if isinstance(e, Value)), None)
        if first is None:
            raise KernelTypeError(
                "an array needs a value of a kernel", loc, hints=["give one its type: sd.Array(f32(0), 1)"]
            )
        element = expr_of(first, loc).type
        parts = [expect(e, element, loc, "an element") for e in elements]
        attach(self, let(build.construct(array_of(element, len(parts)), parts, loc), loc, named=True))

    def __getitem__(self, index: u32 | i32 | int) -> T:
        return index_value(self, index)


def type_of(annotation: Any, loc: Location | None) -> Type:
    """The type that an annotation spells."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return annotated_array(annotation, loc)
    if origin is Atomic:
        inner = type_of(get_args(annotation)[0], loc)
        if not isinstance(inner, types.Scalar) or inner not in INTEGERS:
            raise SignatureError(f"an atomic holds i32 or u32, not {inner}", loc, hints=["write sd.Atomic[u32]"])
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


def annotated_array(annotation: object, loc: Location | None) -> Type:
    base, *extras = get_args(annotation)
    if get_origin(base) is not Array or len(extras) != 1 or not isinstance(extras[0], int) or extras[0] < 1:
        raise SignatureError(
            "an array has an element type and a positive count", loc, hints=["write Annotated[sd.Array[f32], 4]"]
        )
    return array_of(type_of(get_args(base)[0], loc), extras[0])


def array_of(element: Type, count: int) -> types.Array:
    """An array type whose values have a class."""
    array = types.Array(element, count)
    if array not in CLASSES:
        CLASSES[array] = type("Array", (Array,), {"__slots__": (), "type": array})
    return array


def spell(annotation: Any) -> str:
    name: Any = getattr(annotation, "__name__", None)
    return name if isinstance(name, str) else repr(annotation)


def python_hint(annotation: Any) -> list[str]:
    if annotation is Array or get_origin(annotation) is Array:
        return ["write Annotated[sd.Array[f32], 4]"]
    better = {"int": "i32 or u32", "float": "f32", "bool": "sd.bool_"}.get(spell(annotation))
    return [f"write {better}"] if better else []
