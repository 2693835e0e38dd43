"""A kernel's signature: buffers with named axes, uniform parameters and static arguments, from annotations.

x: Annotated[sd.In[f32], "rows, cols"]     y: Annotated[sd.Out[f32], "rows, 64", sd.Binding(0, 7)]
eps: sd.Param[f32]                         unroll: sd.Static[int]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin

from shaderdsl.errors import SignatureError
from shaderdsl.ir.kernel import Extent, Role
from shaderdsl.ir.layout import host_shareable, uniform_fault
from shaderdsl.ir.types import BOOL, Type
from shaderdsl.lang.annotations import spell, type_of
from shaderdsl.lang.kernel import Kernel
from shaderdsl.lang.memory import In, InOut, Out
from shaderdsl.lang.resolve import annotations_of, code_loc
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
    """An explicit `@group(group) @binding(binding)`."""

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
    default: object
    has_default: bool


Parameter: TypeAlias = BufferParameter | ScalarParameter | StaticParameter
ROLES = {In: Role.IN, Out: Role.OUT, InOut: Role.INOUT}


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters after `k`, in order."""

    name: str
    parameters: tuple[Parameter, ...]
    loc: Loc

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
    loc = code_loc(function)
    name = getattr(function, "__name__", "kernel")
    annotations = annotations_of(function)
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or annotations.get(parameters[0].name) is not Kernel:
        raise SignatureError(
            f"the first parameter of {name} is the kernel", loc, hints=[f"write def {name}(k: sd.Kernel, ...)"]
        )
    parsed = tuple(parameter(p, annotations.get(p.name), loc) for p in parameters[1:])
    signature = Signature(name, parsed, loc)
    check_names(signature)
    return signature


def parameter(given: inspect.Parameter, annotation: object, loc: Loc) -> Parameter:
    """One parameter from its annotation."""
    name = given.name
    if given.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
        raise SignatureError(f"a kernel takes no *{name}", loc)
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
        return StaticParameter(name, given.default, given.default is not inspect.Parameter.empty)
    if PARAM in extras:
        return scalar(name, type_of(annotation, loc), loc)
    role = ROLES.get(get_origin(annotation))  # pyright: ignore[reportArgumentType]
    if role is None:
        raise SignatureError(
            f"parameter {name} is {spell(annotation)}, which is no buffer or parameter",
            loc,
            hints=[f'write Annotated[sd.In[{spell(annotation)}], "n"] or sd.Param[{spell(annotation)}]'],
        )
    return buffer(name, role, type_of(get_args(annotation)[0], loc), extras, loc)


def scalar(name: str, type: Type, loc: Loc) -> ScalarParameter:
    fault = None if type == BOOL else uniform_fault(type)
    if fault is None and type != BOOL and not host_shareable(type):
        fault = f"{type} holds a bool, which cannot be shared with the host"
    if fault:
        raise SignatureError(f"parameter {name} cannot be a uniform: {fault}", loc)
    return ScalarParameter(name, type)


def buffer(name: str, role: Role, element: Type, extras: list[object], loc: Loc) -> BufferParameter:
    if not host_shareable(element):
        raise SignatureError(
            f"buffer {name} cannot hold {element}", loc, notes=["bool has no defined size in memory"], hints=["use u32"]
        )
    axes = [e for e in extras if isinstance(e, str)]
    if len(axes) != 1:
        raise SignatureError(
            f"buffer {name} has no axes", loc, hints=[f'write Annotated[sd.{role.value}[{element}], "rows, cols"]']
        )
    at = next((e for e in extras if isinstance(e, Binding)), None)
    return BufferParameter(name, role, element, parse_axes(name, axes[0], loc), at)


def parse_axes(name: str, text: str, loc: Loc) -> tuple[Extent, ...]:
    """`"rows, 64"` as ("rows", 64)."""
    axes: list[Extent] = []
    for part in (p.strip() for p in text.split(",")):
        if part.isdecimal() and int(part) > 0:
            axes.append(int(part))
        elif part.isidentifier():
            axes.append(part)
        else:
            raise SignatureError(f"axis {part!r} of {name} is neither a name nor a positive number", loc)
    return tuple(axes)


def check_names(signature: Signature) -> None:
    """An axis may not have a parameter's name, which would hide one of them; a static parameter may size an axis."""
    scalars = {p.name for p in signature.scalars}
    for buffer in signature.buffers:
        clash = next((a for a in buffer.axes if a in scalars), None)
        if clash is not None:
            raise SignatureError(
                f"axis {clash} of {buffer.name} has the name of a parameter",
                signature.loc,
                hints=["rename one of them, or make the parameter sd.Static[int]"],
            )
    taken: dict[tuple[int, int], str] = {}
    for buffer in signature.buffers:
        if buffer.at is None:
            continue
        place = (buffer.at.group, buffer.at.binding)
        if place in taken:
            raise SignatureError(f"{taken[place]} and {buffer.name} have the same binding {place}", signature.loc)
        taken[place] = buffer.name
