"""Memory of several axes, indexed like numpy, row-major: buffers, shared memory, private arrays, tables.

tile[i] = x[row, i]
y[row, j] = tile[j] * x.cols.f32                         # an axis is an attribute of its buffer
p.at(i).velocity.value = v                               # one member of one element
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast

from shaderdsl.errors import ConstantError, KernelTypeError
from shaderdsl.ir import build
from shaderdsl.ir.expr import Const, ElementOf, Expr, Variable, Whole
from shaderdsl.ir.kernel import Extent
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import I32, U32
from shaderdsl.lang import fold
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import coerce
from shaderdsl.lang.place import Place, loaded, placed, store
from shaderdsl.lang.refusals import OPERATORS, refuse
from shaderdsl.lang.scalars import u32
from shaderdsl.lang.trace import Scope, current
from shaderdsl.lang.value import let, wrap
from shaderdsl.source import Loc

T = TypeVar("T")


class Indexed(Generic[T]):
    """Memory of several axes, indexed like numpy, row-major: buffers, shared memory, private arrays, tables."""

    __slots__ = ("_axes", "_scope", "_variable", "_writable")
    _axes: tuple[Extent, ...]
    _scope: Scope | None
    _variable: Variable
    _writable: bool

    def __init__(self, variable: Variable, axes: Sequence[Extent], scope: Scope | None, writable: bool) -> None:
        object.__setattr__(self, "_variable", variable)
        object.__setattr__(self, "_axes", tuple(axes))
        object.__setattr__(self, "_scope", scope)
        object.__setattr__(self, "_writable", writable)

    def at(self, *indices: object) -> Place[T]:
        """The place of an element, for storing one member of it: `x.at(i).mass.value = m`."""
        return placed(self._element(indices, here()), self._scope, self._writable)

    def __getitem__(self, index: object) -> T:
        indices = cast("tuple[object, ...]", index) if isinstance(index, tuple) else (index,)
        return loaded(Place(self._element(indices, here()), self._scope, self._writable))

    def _element(self, indices: Sequence[object], loc: Loc | None) -> ElementOf:
        """Row-major: the flat index is computed where the access stands."""
        if len(indices) != len(self._axes):
            axes = ", ".join(map(str, self._axes))
            raise KernelTypeError(
                f"{self._variable.name} has axes ({axes}), but {len(indices)} indices are given"
                if len(indices) != 1
                else f"{self._variable.name} has axes ({axes}), but one index is given",
                loc,
                hints=[f"write {self._variable.name}[{', '.join('ijklmnop'[: len(self._axes)])}]"],
            )
        exprs = [self._index(i, axis, loc) for i, axis in zip(indices, self._axes)]
        whole = Whole(self._variable, self._variable.type)
        return build.element_of(whole, self._flat(exprs, loc), loc)

    def _index(self, index: object, axis: Extent, loc: Loc | None) -> Expr:
        if isinstance(index, slice):
            raise KernelTypeError("a kernel reads single elements, not slices", loc, hints=["loop with k.range(...)"])
        if isinstance(index, int) and index < 0:
            raise ConstantError(
                f"index {index} is out of range", loc, hints=["count from the end yourself: x[x.n - 1] is the last"]
            )
        expr = coerce(index, U32, loc)
        if expr.type not in (I32, U32):
            raise KernelTypeError(
                f"an index is i32 or u32, not {expr.type}", loc, hints=["convert it with .u32 or .i32"]
            )
        build.check_index(expr, axis if isinstance(axis, int) else None, loc)
        return expr

    def _flat(self, exprs: list[Expr], loc: Loc | None) -> Expr:
        flat = exprs[0]
        for expr, axis in zip(exprs[1:], self._axes[1:]):
            stride = Const(axis, U32, loc) if isinstance(axis, int) else current(loc).use_axis(axis, loc)
            flat = arithmetic(BinaryOp.MUL, unsigned(flat, loc), stride, loc)
            flat = arithmetic(BinaryOp.ADD, flat, unsigned(expr, loc), loc)
        return flat


def unsigned(expr: Expr, loc: Loc | None) -> Expr:
    """An index as u32, so that axes of several types meet."""
    return let(build.convert(expr, U32, loc), loc, named=False) if expr.type == I32 else expr


INDEX_ARITHMETIC: dict[BinaryOp, Callable[[int, int], int]] = {
    BinaryOp.ADD: lambda a, b: a + b,
    BinaryOp.MUL: lambda a, b: a * b,
    BinaryOp.DIV: lambda a, b: a // b,
    BinaryOp.REM: lambda a, b: a % b,
}


def arithmetic(op: BinaryOp, left: Expr, right: Expr, loc: Loc | None) -> Expr:
    """Index arithmetic in u32, folded where both sides are constants; adding 0 is left out."""
    a, b = fold.constant(left), fold.constant(right)
    if a is not None and b is not None:
        return fold.number(INDEX_ARITHMETIC[op](int(a), int(b)), U32, loc)
    if b == 0 and op is BinaryOp.ADD:
        return left
    return let(build.binary(op, left, right, loc), loc, named=False)


def not_an_element(memory: Indexed[Any], symbol: str, *others: object) -> KernelTypeError:
    """What to say of an operator on whole memory."""
    del others
    name = memory._variable.name
    hints = [f"read an element: {name}[i]", "loop over elements with k.range(...)"]
    if symbol == "len":
        hints = [f"write {', '.join(f'{name}.{a}' if isinstance(a, str) else str(a) for a in memory._axes)}"]
    return KernelTypeError(f"{name} is memory, not a value", here(), hints=hints)


def not_assignable(memory: Indexed[Any], symbol: str, *others: object) -> KernelTypeError:
    """What to say of `x.n = ...` and `del x[i]`."""
    del symbol, others
    name = memory._variable.name
    return KernelTypeError(f"only elements of {name} can be assigned", here(), hints=[f"write {name}[i] = ..."])


CONVERSIONS_OF_MEMORY = ("bool", "call", "iter", "len", "contains", "int", "float", "index", "array", "array_ufunc")
refuse(Indexed, [*OPERATORS, *CONVERSIONS_OF_MEMORY], not_an_element)
refuse(Indexed, ["setattr", "delattr", "delitem"], not_assignable)


class Memory(Indexed[T]):
    """Writable memory, of k.shared, k.array or k.private: `tile[i, j]` reads, `tile[i, j] = v` stores, both row-major."""

    __slots__ = ()

    def __setitem__(self, index: object, new: T | int | float) -> None:
        loc = here()
        indices = cast("tuple[object, ...]", index) if isinstance(index, tuple) else (index,)
        place: Place[T] = Place(self._element(indices, loc), self._scope, self._writable)
        store(place, place._place, new, loc)


class Table(Indexed[T]):
    """A constant table of k.table, indexed at run time: `weights[i]`. Storing is an error."""

    __slots__ = ()


class Buffer(Indexed[T]):
    """A storage parameter. Its named axes are attributes: `x.rows` is a u32 that the host fills in, or a static parameter's number."""

    __slots__ = ("_spelled",)

    def __init__(
        self, variable: Variable, axes: Sequence[Extent], spelled: Sequence[Extent], scope: Scope | None, writable: bool
    ) -> None:
        super().__init__(variable, axes, scope, writable)
        object.__setattr__(self, "_spelled", tuple(spelled))

    def __getattr__(self, name: str) -> u32:
        if name.startswith("_"):
            raise AttributeError(name)
        loc = here()
        if name in self._spelled and name not in self._axes:
            return wrap(fold.number(int(self._axes[self._spelled.index(name)]), U32, loc))
        if name not in self._axes:
            named = [a for a in self._axes if isinstance(a, str)]
            notes = [f"its axes are {', '.join(map(str, self._axes))}"]
            raise KernelTypeError(
                f"{self._variable.name} has no axis {name}",
                loc,
                notes=notes,
                hints=[f"write {self._variable.name}.{n}" for n in named[:1]],
            )
        return wrap(current(loc).use_axis(name, loc))


class In(Buffer[T]):
    """A buffer that the kernel only reads: `Annotated[sd.In[f32], "rows, cols"]`. A call takes a numpy array or an sd.array."""

    __slots__ = ()

    def __setitem__(self, index: object, new: object) -> None:
        name = self._variable.name
        raise KernelTypeError(f"{name} is read-only", here(), hints=[f"declare {name} as sd.Out[...] or sd.InOut[...]"])


class Out(Buffer[T], Memory[T]):
    """A buffer that a launch allocates, zero at first, and returns: `Annotated[sd.Out[f32], "rows, cols"]`. A call does not take it."""

    __slots__ = ()


class InOut(Buffer[T], Memory[T]):
    """A buffer that is given, changed and returned: one read_write binding. A given numpy array stays as it is, a resident array is changed."""

    __slots__ = ()
