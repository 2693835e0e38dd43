"""A traced value: an expression, the block that defines it, and Python's operators.

Every class of values (`f32`, `vec3f`, a user's struct) is a `Value` with a class-level `type`; calling one converts or constructs.
A value never changes: what can is a variable (`k.var`), whose `.value` is a snapshot.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, TypeVar

from shaderdsl.errors import KernelTypeError, TraceError
from shaderdsl.ir.expr import Const, Expr, Read, ReadInput, ReadParam, Swizzle
from shaderdsl.ir.types import Type
from shaderdsl.lang.here import here
from shaderdsl.lang.trace import CURRENT, Scope, check_live, current
from shaderdsl.source import Loc

V = TypeVar("V", bound="Value")


class Value:
    """The base of all traced values; not made by users."""

    __slots__ = ("_expr", "_scope")
    type: ClassVar[Type]
    __array_ufunc__ = None  # numpy must not turn `array * value` into an array of objects
    _expr: Expr
    _scope: Scope | None

    def __bool__(self) -> bool:
        raise TraceError(
            "a traced value has no truth value",
            here(),
            label="this is only known when the kernel runs",
            hints=["branch with k.if_(...), choose with sd.select(...), join conditions with & and |"],
        )

    def __iter__(self) -> NoReturn:
        raise TraceError(
            "a traced value cannot be iterated or unpacked",
            here(),
            hints=["loop with k.range(...), take components by name: v.x, v.y"],
        )

    def __len__(self) -> int:
        raise TraceError(
            "a traced value has no length", here(), hints=["an axis is an attribute of its buffer: x.rows"]
        )

    def __index__(self) -> int:
        raise TraceError(
            "a traced value is not a Python integer", here(), hints=["loop with k.range(...), not range(...)"]
        )

    def __float__(self) -> float:
        raise TraceError(
            "a traced value is not a Python number", here(), hints=["use the functions of sd: sd.sqrt, sd.exp"]
        )

    __int__ = __index__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<traced {type_name(self)}>"


def type_name(value: Value) -> str:
    return str(value._expr.type)


CLASSES: dict[Type, type[Value]] = {}
"""The class of values of each type; structures register theirs."""


def register(cls: type[V]) -> type[V]:
    """Make `cls` the class of values of its type."""
    CLASSES[cls.type] = cls
    return cls


def wrap(expr: Expr) -> Any:
    """A value of the class that belongs to the expression's type."""
    value = object.__new__(CLASSES[expr.type])
    attach(value, expr)
    return value


def attach(value: Value, expr: Expr) -> None:
    """Give a new value its expression, and the open block where that was computed."""
    trace = CURRENT.get() if isinstance(expr, Read) else None
    object.__setattr__(value, "_expr", expr)
    object.__setattr__(value, "_scope", trace.scope if trace is not None else None)


def expr_of(value: Value, loc: Loc | None) -> Expr:
    """The expression of a value, once it is known to be usable here."""
    expr = value._expr
    if value._scope is not None:
        trace = current(loc)
        scope = trace.moved.get(expr.slot, value._scope) if isinstance(expr, Read) else value._scope
        check_live(scope, trace, expr.loc, loc)
    return expr


def record(expr: Expr, loc: Loc | None, *, named: bool = True) -> Any:
    """Compute `expr` at this point of the kernel and give it as a value."""
    return wrap(let(expr, loc, named=named))


def is_trivial(expr: Expr) -> bool:
    """Whether an expression is the same everywhere in a kernel and costs nothing to write again."""
    return isinstance(expr, Const | ReadInput | ReadParam) or (
        isinstance(expr, Swizzle) and isinstance(expr.operand, ReadInput)
    )


def let(expr: Expr, loc: Loc | None, *, named: bool = False) -> Expr:
    """The expression that stands for `expr` from here on: itself where it is a constant or an input, else a read of a new slot."""
    if is_trivial(expr):
        return expr
    return current(loc).let(expr, loc, named=named)


def wrong_operand(value: object, loc: Loc | None) -> KernelTypeError:
    """What to say of something that is neither a traced value nor a Python number."""
    name = type(value).__name__
    if type(value).__module__ == "numpy":
        return KernelTypeError(
            f"a numpy {name} is not taken in a kernel",
            loc,
            hints=["write float(x) or int(x), or pass it as a parameter (sd.Param)"],
        )
    hints = ["read a variable with .value"] if hasattr(value, "value") else []
    if hasattr(value, "at"):
        hints = ["read an element: x[i]"]
    return KernelTypeError(f"a {name} is not a value of a kernel", loc, hints=hints)
