"""Expressions: pure, typed, compared by identity, never edited.

A traced expression is one operation deep, since every operation becomes a `Let` where it was made; passes inline what may move.
A `Load` stands only as the whole right side of a `Let` until a pass has shown that nothing writes to its place before the use.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import U32, Type, Vector
from shaderdsl.source import Loc


class Input(Enum):
    """The built-in inputs of a compute shader; the value is the spelling, which is also the parameter's name."""

    LOCAL_INVOCATION_ID = "local_invocation_id"
    LOCAL_INVOCATION_INDEX = "local_invocation_index"
    GLOBAL_INVOCATION_ID = "global_invocation_id"
    WORKGROUP_ID = "workgroup_id"
    NUM_WORKGROUPS = "num_workgroups"

    @property
    def type(self) -> Type:
        return U32 if self is Input.LOCAL_INVOCATION_INDEX else Vector(3, U32)


class AddressSpace(Enum):
    """Where a variable lives; the value is WGSL's word. CONSTANT is a module-scope `const`, indexed at run time."""

    STORAGE = "storage"
    UNIFORM = "uniform"
    WORKGROUP = "workgroup"
    PRIVATE = "private"
    FUNCTION = "function"
    CONSTANT = "const"


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """The name of a value: what a `Let`, a loop or a parameter defines and a `Read` reads. `name` is None where the user gave none."""

    name: str | None
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A piece of memory. `initial` is the constant expression of a table."""

    name: str
    type: Type
    space: AddressSpace
    loc: Loc | None
    initial: Expr | None = None


# Places: what can be loaded from and stored to.


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A variable itself: `total`."""

    variable: Variable
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class ElementOf:
    """`base[index]`: an element of an array, a component of a vector, a column of a matrix."""

    base: Place
    index: Expr
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class MemberOf:
    """`base.name`: a member of a structure, or a component of a vector."""

    base: Place
    name: str
    type: Type


Place: TypeAlias = Whole | ElementOf | MemberOf


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A scalar literal: bool, an int in range, or a float that the type holds exactly. Never inf, NaN or -0.0."""

    value: bool | int | float
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """The value that a slot holds."""

    slot: Slot
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class ReadInput:
    """A built-in input of the invocation."""

    input: Input
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class ReadParam:
    """A field of the kernel's uniform: a parameter, an axis, or `zero`."""

    name: str
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """What a place holds at this point."""

    place: Place
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    op: UnaryOp
    operand: Expr
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """`left op right`."""

    op: BinaryOp
    left: Expr
    right: Expr
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call of a builtin of WGSL."""

    builtin: Builtin
    arguments: tuple[Expr, ...]
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Convert:
    """`type(operand)`: a value conversion between scalars, or componentwise between vectors of one size."""

    operand: Expr
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Bitcast:
    """`bitcast<type>(operand)`: the same bits as another type of the same size."""

    operand: Expr
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Construct:
    """`type(arguments...)`: a vector from scalars and vectors (one scalar is splatted), a matrix from columns or scalars, an array, a structure."""

    arguments: tuple[Expr, ...]
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Swizzle:
    """`operand.xyz`: the components of a vector, by position."""

    operand: Expr
    components: tuple[int, ...]
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """`operand.name` of a structure value."""

    operand: Expr
    name: str
    type: Type
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """`operand[index]` of an array, vector or matrix value."""

    operand: Expr
    index: Expr
    type: Type
    loc: Loc | None


Expr: TypeAlias = (
    Const
    | Read
    | ReadInput
    | ReadParam
    | Load
    | Unary
    | Binary
    | Call
    | Convert
    | Bitcast
    | Construct
    | Swizzle
    | Member
    | Element
)


def root_of(place: Place) -> Variable:
    """The variable that a place lies in."""
    while not isinstance(place, Whole):
        place = place.base
    return place.variable
