"""A spec: stages of index notation, as frozen values compared by structure (they are small trees).

    y[i, j] = exp(x[i, j]) / s[i]        Stage((Target("y", (Bound("i"), Bound("j"))),), None, (Operation(DIV, ...),))
    s[i]    = sum(j) e[i, j]             Stage((Target("s", (Bound("i"),)),), Reduction(SUM, ("j",)), (Read("e", ...),))

Names are resolved: an `Index` belongs to the stage, a `Parameter` is a scalar argument, a `Read` names an input or an earlier stage.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from shaderdsl.source import Span


class Dtype(Enum):
    """Element types of inputs and stages; the value is the spelling."""

    F32 = "f32"
    I32 = "i32"
    U32 = "u32"
    BOOL = "bool"


class Operator(Enum):
    """Operators of formulas by Python's precedence; the value is the spelling. FLOOR_DIV and MOD floor."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    FLOOR_DIV = "//"
    MOD = "%"
    POW = "**"
    NEG = "neg"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    AND = "and"
    OR = "or"
    NOT = "not"


class ReductionKind(Enum):
    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Number:
    """A constant: an int stays an int, so that index arithmetic is exact."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Index:
    """An index of the stage, as a number."""

    name: str


@dataclass(frozen=True, slots=True)
class Size:
    """`size(name)`: the extent of an index of this stage, else of the first axis of that name in the spec."""

    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A scalar argument."""

    name: str


@dataclass(frozen=True, slots=True)
class Read:
    """`tensor[indices; fill]`: an element; out of range it is `fill`, 0 where none is written.

    `leading` marks `x[..., i]`: any axes in front, those of the stage's own `...`.
    """

    tensor: str
    indices: tuple[Scalar, ...]
    fill: Scalar | None = None
    leading: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    operator: Operator
    arguments: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A call by WGSL's name or the usual one, already canonical: exp, rsqrt, where, max, gelu ..."""

    name: str
    arguments: tuple[Scalar, ...]
    because: str = ""
    """Why `stop_gradient` stops it, in the words of the formula."""


Scalar: TypeAlias = Number | Index | Size | Parameter | Read | Operation | Function


@dataclass(frozen=True, slots=True)
class Bound:
    """An index on the left of a stage, with the extent that is written for it (`t < size(t) // 2`), if any."""

    name: str
    extent: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What a stage defines: `name[bounds]`; `leading` for `name[..., i]`."""

    name: str
    bounds: tuple[Bound, ...]
    leading: bool = False


@dataclass(frozen=True, slots=True)
class Reduction:
    """`sum(j, k)`; a bound carries an extent written as `sum(j < n)`."""

    kind: ReductionKind
    over: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class Scan:
    """`scan(t, start=...)`: the stage reads itself one step back along `index`, or one ahead and then runs backwards.

    `starts`: one value for each target, read outside; zeros where None.
    """

    index: str
    backwards: bool
    starts: tuple[Scalar, ...] | None


@dataclass(frozen=True, slots=True)
class Stage:
    """`targets = how values`: a map (how is None), a reduction, or a scan that may carry several targets."""

    targets: tuple[Target, ...]
    how: Reduction | Scan | None
    values: tuple[Scalar, ...]
    span: Span | None = field(default=None, compare=False)
    """Where in the formula the stage stands; derived stages have none."""


@dataclass(frozen=True, slots=True)
class TensorInput:
    """An array argument: an axis name for each axis (the first index that stands alone there, or given), None where unnamed."""

    name: str
    axes: tuple[str | None, ...]
    dtype: Dtype
    leading: bool = False


@dataclass(frozen=True, slots=True)
class ScalarInput:
    """A scalar argument; an integer where it is used in an index."""

    name: str
    dtype: Dtype


Input: TypeAlias = TensorInput | ScalarInput


@dataclass(frozen=True, slots=True)
class OpSpec:
    """A formula: inputs in order, stages in order, what comes out, and what a backward may reuse (`saved`)."""

    name: str
    inputs: tuple[Input, ...]
    stages: tuple[Stage, ...]
    outputs: tuple[str, ...]
    saved: tuple[str, ...] = ()

    def stage_of(self, name: str) -> Stage | None:
        """The stage that defines a name, or None for an input."""
        return next((s for s in self.stages for t in s.targets if t.name == name), None)


def operands(scalar: Scalar) -> tuple[Scalar, ...]:
    """The expressions directly under one."""
    match scalar:
        case Read(_, indices, fill):
            return indices if fill is None else (*indices, fill)
        case Operation(_, arguments) | Function(_, arguments):
            return arguments
        case _:
            return ()
