"""What stands for an array or a number while a graph of ops is built: nothing is computed.

    x = Tensor.given("x", (3, 5), Dtype.F32)
    y = ops.softmax(x)              # a Tensor of a Call
    z = y * 2 + x                   # operators are ops too

A graph is its Calls, each of which knows the Tensors that it takes; nothing else holds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import GraphError
from shaderdsl.graph.operators import operate
from shaderdsl.lang.here import here
from shaderdsl.operation import Op
from shaderdsl.source import Loc
from shaderdsl.spec import notation
from shaderdsl.spec.concrete import Concrete
from shaderdsl.spec.notation import Dtype, Number, Operation, Operator, Parameter
from shaderdsl.spec.shapes import Shape

Host: TypeAlias = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """An op applied: its spec with all sizes, the tensors and the expressions of scalars that it takes, and the line that wrote it."""

    operation: Op
    concrete: Concrete
    tensors: Mapping[str, Tensor]
    scalars: Mapping[str, notation.Scalar]
    loc: Loc | None


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """An array that is given: by the caller of a plan under its name, or once for all as `data`."""

    name: str
    data: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """An array to be: output `output` of a call, or a leaf. It has a shape and a dtype, and no elements yet."""

    shape: Shape
    kind: Dtype
    source: Call | Leaf
    output: str = ""
    loc: Loc | None = field(default=None)

    @classmethod
    def given(cls, name: str, shape: Iterable[int], kind: Dtype) -> Tensor:
        """An input of a plan."""
        return cls(tuple(shape), kind, Leaf(name), "", here())

    @property
    def dtype(self) -> str:
        """The type of an element: "f32", "i32", "u32" or "bool"."""
        return self.kind.value

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def name(self) -> str:
        """What made it: an op's name, or an input's."""
        return self.source.name if isinstance(self.source, Leaf) else self.source.operation.name

    def __add__(self, other: Any) -> Any:
        return operate("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return operate("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return operate("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return operate("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return operate("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return operate("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return operate("div", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return operate("div", other, self)

    def __neg__(self) -> Any:
        return operate("neg", self)

    def __matmul__(self, other: Any) -> Any:
        return operate("matmul", self, other)

    def __array__(self, *_: Any, **__: Any) -> Host:
        raise GraphError(
            f"{self.name} has no elements yet: it is a tensor of a graph",
            here(),
            hints=["return it from the function that sd.compile takes, and call the plan"],
        )

    def __bool__(self) -> bool:
        raise GraphError(
            f"whether {self.name} is true is not known while the graph is built",
            here(),
            hints=["choose elements by where(..) in a formula, or decide on the host between plans"],
        )

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **named: Any) -> Any:
        """numpy's operators beside an array or a numpy number; its other functions have ops in their place."""
        name = UFUNCS.get(ufunc.__name__)
        if name is None or method != "__call__" or named:
            raise GraphError(
                f"np.{ufunc.__name__} does not take {self.name}: it is a tensor of a graph",
                here(),
                hints=["call an op: shaderdsl.ops has exp, tanh and more, and sd.op makes one of a formula"],
            )
        return operate(name, *(plain_number(o) for o in operands))

    def __getitem__(self, index: Any) -> Any:
        raise GraphError(
            f"{self.name} has no elements to choose yet",
            here(),
            hints=['read them in a formula: sd.op("first", "y[j] = x[0, j]")'],
        )

    def __len__(self) -> int:
        """The length of the first axis, as numpy's."""
        if not self.shape:
            raise GraphError(f"{self.name} has no axes", here(), hints=["a number has no length"])
        return self.shape[0]

    def __float__(self) -> float:
        raise GraphError(
            f"{self.name} is no number yet",
            here(),
            hints=["return it, and read the number that the plan gives"],
        )

    def __int__(self) -> int:
        return int(float(self))

    def compared(self, _: object) -> Any:
        """What `<` and its kin do: conditions belong in formulas."""
        raise GraphError(
            f"{self.name} is not compared outside of formulas",
            here(),
            hints=['compare in one: sd.op("above", "y[i] = where(x[i] > 0, x[i], 0)")'],
        )

    __lt__ = __le__ = __gt__ = __ge__ = compared
    __iter__: Any = None

    def __repr__(self) -> str:
        return f"Tensor({self.name}, {self.shape}, {self.dtype})"


UFUNCS = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "matmul": "matmul"}


def plain_number(value: Any) -> Any:
    """A numpy number as Python's."""
    found: Any = value
    return found.item() if isinstance(value, np.generic) else found


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A number to be: an expression of the numbers that a plan is called with, passed to ops as a parameter."""

    value: notation.Scalar
    kind: Dtype

    @classmethod
    def given(cls, name: str, kind: Dtype) -> Scalar:
        """A number that a plan is called with."""
        return cls(Parameter(name), kind)

    def __add__(self, other: Any) -> Scalar:
        return combined(Operator.ADD, self, other)

    def __radd__(self, other: Any) -> Scalar:
        return combined(Operator.ADD, other, self)

    def __sub__(self, other: Any) -> Scalar:
        return combined(Operator.SUB, self, other)

    def __rsub__(self, other: Any) -> Scalar:
        return combined(Operator.SUB, other, self)

    def __mul__(self, other: Any) -> Scalar:
        return combined(Operator.MUL, self, other)

    def __rmul__(self, other: Any) -> Scalar:
        return combined(Operator.MUL, other, self)

    def __truediv__(self, other: Any) -> Scalar:
        return combined(Operator.DIV, self, other)

    def __rtruediv__(self, other: Any) -> Scalar:
        return combined(Operator.DIV, other, self)

    def __neg__(self) -> Scalar:
        return Scalar(Operation(Operator.NEG, (self.value,)), self.kind)

    def __bool__(self) -> bool:
        raise GraphError(
            "a number of a plan is not known while the graph is built",
            here(),
            hints=["pass it outside of the plan's arguments, as a constant"],
        )


def combined(operator: Operator, left: Any, right: Any) -> Any:
    """A number made of two, whole only where both are."""
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return NotImplemented
    kinds = [part.kind if isinstance(part, Scalar) else number_kind(part) for part in (left, right)]
    if None in kinds:
        return NotImplemented
    whole = Dtype.F32 not in kinds and operator is not Operator.DIV
    kind = next(p.kind for p in (left, right) if isinstance(p, Scalar)) if whole else Dtype.F32
    return Scalar(Operation(operator, (scalar_value(left, kind), scalar_value(right, kind))), kind)


def number_kind(value: Any) -> Dtype | None:
    """The type of a Python or numpy number; None of what is no number."""
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, int | np.integer):
        return Dtype.I32
    return Dtype.F32 if isinstance(value, float | np.floating) else None


def scalar_value(value: Any, kind: Dtype) -> notation.Scalar:
    """A number or a Scalar as an expression of that type."""
    if isinstance(value, Scalar):
        return value.value
    return Number(float(value)) if kind is Dtype.F32 else Number(int(value))


def calls_of(outputs: Iterable[Tensor]) -> list[Call]:
    """Every call that some tensors need, each after those that it takes from."""
    found: dict[Call, None] = {}
    for output in outputs:
        if isinstance(output.source, Call):
            visit(output.source, found)
    return list(found)


def visit(last: Call, found: dict[Call, None]) -> None:
    """Calls under one, depth first, without recursion: a graph may be a chain of thousands."""
    stack: list[tuple[Call, Iterator[Call]]] = [(last, sources(last))]
    open_calls = {last}
    while stack:
        call, rest = stack[-1]
        following = next((c for c in rest if c not in found and c not in open_calls), None)
        if following is None:
            found[call] = None
            stack.pop()
            continue
        open_calls.add(following)
        stack.append((following, sources(following)))


def sources(call: Call) -> Iterator[Call]:
    return (t.source for t in call.tensors.values() if isinstance(t.source, Call))
