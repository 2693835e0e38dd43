"""A kernel: one entry point with its memory, its functions and its body."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from shaderdsl.ir.expr import Expr, Variable
from shaderdsl.ir.stmt import Block, Function
from shaderdsl.ir.types import Struct, Type
from shaderdsl.source import Loc

Extent: TypeAlias = str | int
"""An axis: a name whose size travels in the uniform, or a number that is part of the kernel."""


ZERO = "runtime_zero"
"""The uniform's field that is 0 at run time and that no compiler can fold."""


class Role(Enum):
    """How a buffer crosses a launch: IN is given, OUT is allocated and returned, INOUT is given, written and returned."""

    IN = "In"
    OUT = "Out"
    INOUT = "InOut"


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """A storage parameter: row-major `element`s over `axes`, at a group and binding; `written` makes it `read_write`."""

    variable: Variable
    element: Type
    axes: tuple[Extent, ...]
    role: Role
    group: int
    binding: int
    written: bool


@dataclass(frozen=True, slots=True, eq=False)
class Uniform:
    """The one read-only struct of scalars and shapes: `params` names the user's parameters, the rest are axes and `zero`."""

    variable: Variable
    struct: Struct
    params: tuple[str, ...]
    axes: tuple[str, ...]
    zero: bool
    group: int
    binding: int


class DomainKind(Enum):
    """One invocation (EACH) or one workgroup (EACH_GROUP) per point; FREE kernels are launched with explicit groups."""

    EACH = "each"
    EACH_GROUP = "each_group"
    FREE = "free"


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """The index domain that gives the grid: its extents are u32 expressions over the uniform, which the host computes too."""

    kind: DomainKind
    extents: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """The value that the corridor carries from trace to shader.

    `shared` holds workgroup, private and constant variables at module scope, in order of declaration; `functions` in order of first call.
    """

    name: str
    entry_point: str
    workgroup_size: tuple[int, int, int]
    buffers: tuple[Buffer, ...]
    uniform: Uniform | None
    shared: tuple[Variable, ...]
    functions: tuple[Function, ...]
    body: Block
    domain: Domain
    directives: tuple[str, ...]
    loc: Loc | None

    @property
    def invocations(self) -> int:
        """Invocations in a workgroup."""
        x, y, z = self.workgroup_size
        return x * y * z
