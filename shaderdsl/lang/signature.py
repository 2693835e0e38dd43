"""A kernel's signature: buffers with named axes, uniform parameters and static arguments, from annotations.

x: Annotated[sd.In[f32], "rows, cols"]     y: Annotated[sd.Out[f32], "rows, 64", sd.Binding(0, 7)]
eps: sd.Param[f32]                         unroll: sd.Static[int]
"""

from __future__ import annotations

import inspect
import keyword
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin

from shaderdsl.errors import Location, SignatureError
from shaderdsl.ir.build import spelled
from shaderdsl.ir.kernel import ZERO, Extent, Role
from shaderdsl.ir.layout import host_shareable, uniform_fault
from shaderdsl.ir.types import BOOL, Type
from shaderdsl.lang.annotations import spell, type_of
from shaderdsl.lang.kernel import Kernel
from shaderdsl.lang.memory import In, InOut, Out
from shaderdsl.lang.resolve import annotations_of, code_loc, definition_of
from shaderdsl.lang.value import Value
from shaderdsl.source import Loc

T = TypeVar("T")


class Marker:
    """What `sd.Param` and `sd.Static` leave in an annotation."""

    def __init__(self, word: str) -> None:
        self.word = word


PARAM, STATIC = Marker("Param"), Marker("Static")
Param: TypeAlias = Annotated[T, PARAM]
"""A value that travels in the kernel's uniform: `eps: sd.Param[f32]`."""
Static: TypeAlias = Annotated[T, STATIC]
"""A Python value that is part of the kernel, as in unrolling: `width: sd.Static[int]`."""


@dataclass(frozen=True, slots=True)
class Binding:
    """An explicit `@group(group) @binding(binding)`: `Annotated[sd.In[f32], "n", sd.Binding(0, 3)]`, or `sd.kernel(uniform=sd.Binding(1, 0))`."""

    group: int
    binding: int


@dataclass(frozen=True, slots=True)
class BufferParameter:
    """`axes` may name static parameters; they become numbers when those are known."""

    name: str
    role: Role
    element: Type
    axes: tuple[Extent, ...]
    at: Binding | None


@dataclass(frozen=True, slots=True)
class ScalarParameter:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class StaticParameter:
    name: str
    kind: object
    default: object
    has_default: bool


Parameter: TypeAlias = BufferParameter | ScalarParameter | StaticParameter
LAUNCH_OPTIONS = frozenset({"device", "groups", "axes", "debug"})
PYTHON_TYPES = {"int": "i32", "float": "f32", "bool": "sd.bool_"}
ROLES = {In: Role.IN, Out: Role.OUT, InOut: Role.INOUT}


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters after `k`, in order."""

    name: str
    parameters: tuple[Parameter, ...]
    loc: Loc
    function: Callable[..., Any]

    @property
    def buffers(self) -> list[BufferParameter]:
        return [p for p in self.parameters if isinstance(p, BufferParameter)]

    @property
    def scalars(self) -> list[ScalarParameter]:
        return [p for p in self.parameters if isinstance(p, ScalarParameter)]

    @property
    def statics(self) -> list[StaticParameter]:
        return [p for p in self.parameters if isinstance(p, StaticParameter)]


def signature_of(function: Callable[..., Any]) -> Signature:
    """Read and check a kernel's parameters."""
    name = function.__name__
    annotations = annotations_of(function)
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or annotations.get(parameters[0].name) is not Kernel:
        raise SignatureError(
            f"the first parameter of {name} is the kernel",
            definition_of(function),
            hints=[f"write def {name}(k: sd.Kernel, ...)"],
        )
    parsed = tuple(parameter(p, annotations.get(p.name), definition_of(function, p.name)) for p in parameters[1:])
    signature = Signature(name, parsed, code_loc(function), function)
    check_names(signature)
    return signature


def parameter(given: inspect.Parameter, annotation: object, loc: Location) -> Parameter:
    """One parameter from its annotation."""
    name = given.name
    if given.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
        raise SignatureError(f"a kernel takes no *{name}", loc, hints=["name each buffer"])
    if given.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
        raise SignatureError(f"{name} is a plain parameter of a kernel", loc, hints=["leave out * and /"])
    if name in LAUNCH_OPTIONS:
        raise SignatureError(
            f"{name} is an option of every launch, not a parameter", loc, hints=[f"rename it: {name}_"]
        )
    if annotation is None:
        raise SignatureError(
            f"parameter {name} has no type",
            loc,
            hints=[f'write {name}: Annotated[sd.In[f32], "n"] or {name}: sd.Param[f32]'],
        )
    extras: list[object] = []
    if get_origin(annotation) is Annotated:
        annotation, *extras = get_args(annotation)
    if STATIC in extras:
        return StaticParameter(name, annotation, given.default, given.default is not inspect.Parameter.empty)
    if PARAM in extras:
        if given.default is not inspect.Parameter.empty:
            raise SignatureError(
                f"parameter {name} has a default, which only static ones take", loc, hints=["give it at every launch"]
            )
        rest = [e for e in extras if e is not PARAM]  # Annotated[sd.Array[f32], 3] inside sd.Param comes flattened
        whole: Any = Annotated[(annotation, *rest)] if rest else annotation  # pyright: ignore[reportInvalidTypeForm]
        return scalar(name, type_of(whole, loc), loc)
    role = ROLES.get(get_origin(annotation))  # pyright: ignore[reportArgumentType]
    if role is None:
        inner = suggested(annotation)
        raise SignatureError(
            f"parameter {name} is {spell(annotation)}, which is neither a buffer nor a parameter",
            loc,
            hints=[f'write {name}: Annotated[sd.In[{inner}], "n"] or {name}: sd.Param[{inner}]'],
        )
    if given.default is not inspect.Parameter.empty:
        raise SignatureError(f"buffer {name} has a default", loc, hints=["give it at every launch"])
    return buffer(name, role, type_of(get_args(annotation)[0], loc), extras, loc)


def suggested(annotation: object) -> str:
    """The element type that an annotation seems to mean."""
    name = spell(annotation)
    known = isinstance(annotation, type) and issubclass(annotation, Value)
    return name if known else PYTHON_TYPES.get(name, "f32")


def scalar(name: str, type: Type, loc: Location) -> ScalarParameter:
    fault = None if type == BOOL else uniform_fault(type)
    if fault is None and type != BOOL and not host_shareable(type):
        fault = f"{type} holds a bool, which cannot be shared with the host"
    if fault:
        raise SignatureError(
            f"parameter {name} cannot be a uniform: {fault}",
            loc,
            hints=[f'pass a buffer: {name}: Annotated[sd.In[...], "1"]'],
        )
    return ScalarParameter(name, type)


def buffer(name: str, role: Role, element: Type, extras: list[object], loc: Location) -> BufferParameter:
    if not host_shareable(element):
        raise SignatureError(
            f"buffer {name} cannot hold {element}", loc, notes=["bool has no defined size in memory"], hints=["use u32"]
        )
    axes = [e for e in extras if isinstance(e, str)]
    if len(axes) != 1:
        meant = ", ".join(str(e) for e in extras if isinstance(e, str | int)) or "rows, cols"
        what = "has no axes" if not axes else "has its axes in several texts"
        hint = f'write Annotated[sd.{role.value}[{spelled(element)}], "{meant}"]'
        raise SignatureError(f"buffer {name} {what}", loc, hints=[hint])
    at = next((e for e in extras if isinstance(e, Binding)), None)
    return BufferParameter(name, role, element, parse_axes(name, axes[0], loc), at)


def parse_axes(name: str, text: str, loc: Location) -> tuple[Extent, ...]:
    """`"rows, 64"` as ("rows", 64)."""
    axes: list[Extent] = []
    for part in (p.strip() for p in text.split(",")):
        if part.isdecimal() and int(part) > 0:
            axes.append(int(part))
        elif part.isidentifier() and not keyword.iskeyword(part) and not part.startswith("_"):
            axes.append(unicodedata.normalize("NFKC", part))  # as Python does with x.rows
        else:
            raise SignatureError(
                f"axis {part!r} of {name} is neither a name nor a positive number",
                loc,
                hints=['write names and numbers, as in "rows, 64"'],
            )
        if hasattr(In, part):
            raise SignatureError(f"axis {part} of {name} has the name of a method", loc, hints=["rename the axis"])
    return tuple(axes)


def check_names(signature: Signature) -> None:
    """An axis may not have a parameter's name, which would hide one of them; a static parameter may size an axis; none is called as our own field."""
    scalars = {p.name for p in signature.scalars}
    owners = {p.name: p.name for p in signature.scalars} | {a: b.name for b in signature.buffers for a in b.axes}
    if ZERO in owners:
        where = definition_of(signature.function, owners[ZERO])
        raise SignatureError(f"{ZERO} is a field of the uniform already", where, hints=[f"rename it: {ZERO}_"])
    for buffer in signature.buffers:
        clash = next((a for a in buffer.axes if a in scalars), None)
        if clash is not None:
            raise SignatureError(
                f"axis {clash} of {buffer.name} has the name of a parameter",
                definition_of(signature.function, buffer.name),
                hints=["rename one of them, or make the parameter sd.Static[int]"],
            )


def check_bindings(signature: Signature, uniform: Binding | None) -> None:
    """Explicit bindings count from 0 and are all different, the uniform's among them."""
    taken: dict[tuple[int, int], str] = {}
    for name, at in [("the uniform", uniform), *((b.name, b.at) for b in signature.buffers)]:
        if at is None:
            continue
        place = (at.group, at.binding)
        where = definition_of(signature.function, name)
        if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in place):
            raise SignatureError(
                f"the binding of {name} is {place}, not two ints from 0", where, hints=["write sd.Binding(0, 1)"]
            )
        if place in taken:
            raise SignatureError(
                f"{taken[place]} and {name} have the same binding {place}",
                where,
                hints=["give each its own, or leave them out"],
            )
        taken[place] = name
