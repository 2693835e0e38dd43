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
from shaderdsl.ir.types import Atomic, Member, RuntimeArray, Struct, Type
from shaderdsl.lang.annotations import type_of
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import expect
from shaderdsl.lang.value import CLASSES, Value, attach, expr_of, let, record

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
                f"{struct} takes {', '.join(names)}", loc, notes=[f"given: {', '.join(given) or 'nothing'}"]
            )
        parts = [expect(given[m.name], m.type, loc, f"member {m.name}") for m in type(self).members]
        attach(self, let(build.construct(struct, parts, loc), loc))


@dataclass_transform()
def struct(cls: type[C]) -> type[C]:
    """Make a class of annotated members a structure of the language."""
    loc = here()
    try:
        annotations = inspect.get_annotations(cls, eval_str=True)
    except NameError as error:
        raise SignatureError(f"a member of {cls.__name__} has an unknown type: {error}", loc) from error
    if not annotations:
        raise SignatureError(f"{cls.__name__} has no members", loc, hints=["annotate them: mass: f32"])
    members = tuple(Member(name, member_type(name, a)) for name, a in annotations.items())
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


def member_type(name: str, annotation: object) -> Type:
    loc = here()
    result = type_of(annotation, loc)
    if isinstance(result, RuntimeArray):
        raise SignatureError(f"member {name} has no fixed size", loc)
    return result


def member_property(name: str) -> property:
    def get(self: Value) -> Any:
        loc = here()
        expr = expr_of(self, loc)
        member = build.member(expr, name, loc)
        if isinstance(member.type, Atomic):
            raise KernelTypeError(f"{name} is atomic and not part of a value", loc, hints=["use x.at(i)." + name])
        return record(member, loc)

    getter: Callable[[Value], Any] = get
    return property(getter)
