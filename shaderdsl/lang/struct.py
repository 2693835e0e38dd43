"""`@sd.struct`: a class of annotated members becomes a WGSL structure and its class of values.

@sd.struct
class Particle:
    position: sd.vec3f
    mass: f32

p = particles[i];  p.mass;  Particle(position=x, mass=1.0)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

from shaderdsl.errors import KernelTypeError, SignatureError
from shaderdsl.ir import build
from shaderdsl.ir.types import Member, Struct, Type
from shaderdsl.lang.annotations import type_of
from shaderdsl.lang.definition import Definition
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import expect
from shaderdsl.lang.resolve import blamed
from shaderdsl.lang.value import CLASSES, Value, attach, expr_of, let, record
from shaderdsl.source import Loc, positions

C = TypeVar("C")


class StructValue(Value):
    """A structure as a value; members are attributes, and snapshots like everything else."""

    __slots__ = ()
    members: ClassVar[tuple[Member, ...]]

    def __init__(self, *positional: object, **named: object) -> None:
        loc = here()
        struct = type(self).type
        names = [m.name for m in type(self).members]
        given = {**dict(zip(names, positional)), **named}
        if len(positional) > len(names) or set(given) != set(names):
            raise KernelTypeError(
                f"{struct} takes ({', '.join(names)})",
                loc,
                notes=[f"given: {', '.join(given) or 'nothing'}"],
                hints=["give every member"],
            )
        parts = [expect(given[m.name], m.type, loc, f"member {m.name}") for m in type(self).members]
        attach(self, let(build.construct(struct, parts, loc), loc))


@dataclass_transform()
def struct(cls: type[C]) -> type[C]:
    """Make a class of annotated members a structure of the language, and the class of its values: `Particle(position=x, mass=1.0)`.

    Members are scalars, vectors, matrices, `Annotated[sd.Array[f32], 4]`, structures, and, for buffers and shared memory, atomics. `sd.dtype(Particle)` is its numpy record.
    """
    loc = here()
    check_class(cls, loc)
    try:
        annotations = inspect.get_annotations(cls, eval_str=True)
    except (NameError, AttributeError) as error:
        raise SignatureError(
            f"a member of {cls.__name__} has an unknown type: {error}",
            member_place(cls, loc, blamed(cls.__annotations__, error)),
            hints=["define it before the structure, at module scope"],
        ) from error
    if not annotations:
        raise SignatureError(
            f"{cls.__name__} has no members", member_place(cls, loc), hints=["annotate them: mass: f32"]
        )
    members = tuple(Member(name, member_type(a, member_place(cls, loc, name))) for name, a in annotations.items())
    type_ = Struct(cls.__name__, members)
    namespace: dict[str, object] = {m.name: member_property(m.name) for m in members}
    namespace |= {
        "__slots__": (),
        "type": type_,
        "members": members,
        "__doc__": cls.__doc__,
        "__module__": cls.__module__,
    }
    made = type(cls.__name__, (StructValue,), namespace)
    CLASSES[type_] = made
    return cast("type[C]", made)


def member_place(cls: type[Any], loc: Loc, name: str | None = None) -> Definition:
    """The place of a structure's name, or of one member."""
    line = positions(loc.code)[loc.lasti // 2][0] or loc.code.co_firstlineno
    return Definition(loc.code.co_filename, line, cls.__name__, loc, name)


def check_class(cls: type[Any], loc: Loc) -> None:
    """Only annotated members: what else a class holds would be lost in silence."""
    if not isinstance(cls, type):
        raise SignatureError("a structure is made of a class", loc, hints=["write @sd.struct above a class"])
    if cls.__bases__ != (object,):
        raise SignatureError(
            f"{cls.__name__} inherits, which a structure does not", member_place(cls, loc), hints=["list all members"]
        )
    extra = [n for n in cls.__dict__ if not (n.startswith("__") and n.endswith("__"))]
    if extra:
        raise SignatureError(
            f"{extra[0]} of {cls.__name__} is no plain member",
            member_place(cls, loc, extra[0]),
            notes=["a structure has annotated members only, without defaults and methods"],
            hints=["write a function that makes or takes the structure"],
        )
    for name in cls.__annotations__:
        if name in RESERVED or name.startswith("_"):
            raise SignatureError(
                f"a member cannot be named {name}",
                member_place(cls, loc, name),
                hints=[f"rename it: {name.strip('_')}_"],
            )


RESERVED = frozenset({"type", "members", "value", "at"})
"""Names that values and places of every type have themselves."""


def member_type(annotation: object, place: Definition) -> Type:
    return type_of(annotation, place)


def member_property(name: str) -> property:
    def get(self: Value) -> Any:
        loc = here()
        expr = expr_of(self, loc)
        member = build.member(expr, name, loc)
        return record(member, loc)

    getter: Callable[[Value], Any] = get
    return property(getter)
