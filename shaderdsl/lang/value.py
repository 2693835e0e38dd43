"""A traced value: an expression, the block that defines it, and Python's operators.

Every class of values (`f32`, `vec3f`, a user's struct) is a `Value` with a class-level `type`; calling one converts or constructs.
A value never changes: what can is a variable (`k.var`), whose `.value` is a snapshot.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, TypeVar

from shaderdsl.errors import KernelTypeError, TraceError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, Read, ReadInput, ReadParam, Swizzle
from shaderdsl.ir.types import Struct, Type
from shaderdsl.lang.here import here
from shaderdsl.lang.refusals import OPERATORS, article, refuse
from shaderdsl.lang.trace import CURRENT, Scope, check_live, current
from shaderdsl.source import Loc

V = TypeVar("V", bound="Value")


class Value:
    """The base of all traced values; not made by users."""

    __slots__ = ("_expr", "_scope")
    type: ClassVar[Type]
    _expr: Expr
    _scope: Scope | None

    def __bool__(self) -> bool:
        raise TraceError(
            "a traced value has no truth value",
            here(),
            label="this is only known when the kernel runs",
            hints=["branch with k.if_(...), choose with sd.select(...), join conditions with & and |, negate with ~"],
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
            "a traced value is not a Python integer",
            here(),
            label="this is only known when the kernel runs",
            hints=["loop with k.range(...), convert with .i32 or .u32, look numbers up in k.table(...)"],
        )

    def __float__(self) -> float:
        raise TraceError(
            "a traced value is not a Python number",
            here(),
            label="this is only known when the kernel runs",
            hints=["convert with .f32, compute with the functions of sd: sd.sqrt, sd.exp"],
        )

    __int__ = __index__
    __hash__ = object.__hash__

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise TraceError(
            "a traced value is no numpy array", here(), hints=["look numbers up in k.table(f32, numbers.tolist())"]
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: object, **_: object) -> NoReturn:
        """numpy asks before it turns `array * value` into an array of objects."""
        del method
        host = next((i for i in inputs if type(i).__module__ == "numpy"), None)
        if host is not None:
            raise wrong_operand(host, here())
        name = str(ufunc.__name__)
        raise KernelTypeError(f"numpy's {name} does not take a traced value", here(), hints=[f"write sd.{name}(...)"])

    def __format__(self, format: str) -> NoReturn:
        del format
        raise TraceError(
            "a traced value cannot be formatted", here(), hints=['print it when the kernel runs: k.print("{}", x)']
        )

    def __repr__(self) -> str:
        return f"<traced {type_name(self)}>"


def type_name(value: Value) -> str:
    return str(value._expr.type)


def no_operator(value: Value, symbol: str, *others: object) -> KernelTypeError:
    """What to say of an operator that WGSL does not have for a type; Python's reflected form of it may have the sides swapped."""
    sides = [str(v._expr.type) if isinstance(v, Value) else type(v).__name__ for v in (value, *others)]
    table = BOOL_HINTS if "bool" in sides and symbol in BOOL_HINTS else OPERATOR_HINTS
    hints = [table[symbol]] if symbol in table else []
    return KernelTypeError(f"cannot apply {symbol} to {' and '.join(sides)}", here(), hints=hints)


OPERATOR_HINTS = {
    "-": "write m * -1.0",
    "/": "multiply by the inverse: m * (1.0 / s)",
    "@": "write * for products of matrices and vectors, sd.dot(x, y) for two vectors",
    "**": "write x * x, or sd.pow(x, y) for x > 0",
    "abs": "write sd.abs(x)",
    "round": "write sd.round(x)",
    "floor": "write sd.floor(x)",
    "ceil": "write sd.ceil(x)",
    "trunc": "write sd.trunc(x)",
    "divmod": "write // and %, or sd.div_floor and sd.mod_floor",
    "[]": "only vectors, matrices, arrays and buffers have elements",
    "()": "leave out the parentheses: x.rows, v.x and x[i].f32 are values",
    "==": "compare members or components",
    "!=": "compare members or components",
    "&": "compare first: (x > 0) & (y > 0)",
    "|": "compare first: (x > 0) | (y > 0)",
}
BOOL_HINTS = dict.fromkeys("+-*/%", "count with .u32: (x > 0).u32 + (y > 0).u32") | dict.fromkeys(
    ("<", "<=", ">", ">="), "order is for numbers"
)


def no_attribute(value: Value, name: str) -> Exception:
    """What to say of an attribute that a type does not have. Names that Python asks for itself stay AttributeErrors."""
    if name.startswith("_"):
        return AttributeError(name)
    hints: list[str] = []
    if name == "value":
        hints = ["leave out .value: this is a value already"]
    elif name in ATOMIC_NAMES:
        hints = ["declare the element as sd.Atomic[u32] or sd.Atomic[i32]"]
    elif isinstance(value._expr.type, Struct):
        hints = [f"its members are {', '.join(m.name for m in value._expr.type.members)}"]
    elif name in {b.name.lower() for b in Builtin}:
        hints = [f"write sd.{name}(...)"]
    return KernelTypeError(f"{value._expr.type} has no attribute {name}", here(), hints=hints)


ATOMIC_NAMES = frozenset({"load", "store", "add", "sub", "exchange", "compare_exchange_weak", "and_", "or_", "xor"})


def attribute(value: Value, name: str) -> NoReturn:
    raise no_attribute(value, name)


def assignment(value: Value, name: str, *_: object) -> KernelTypeError:
    """What to say of `value.x = ...` and `value[i] = ...`."""
    del name
    return KernelTypeError(
        f"a value of {value._expr.type} never changes",
        here(),
        hints=["store to a place: x.at(i).member.value = ..., or a variable: v = k.var(...), v.member.value = ..."],
    )


refuse(Value, [*OPERATORS, "getitem", "call"], no_operator)
refuse(Value, ["setitem", "setattr", "delitem", "delattr"], assignment)
Value.__getattr__ = attribute  # pyright: ignore[reportAttributeAccessIssue] (type checkers must go on refusing what is not there)


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
    trace = CURRENT.get()
    scope = None
    if trace is not None and trace.scopes:
        scope = (
            trace.scopes[0] if isinstance(expr, ReadParam) else trace.scope
        )  # a parameter is the same in every block
    object.__setattr__(value, "_expr", expr)
    object.__setattr__(value, "_scope", scope)


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
    if name == "ndarray":
        return KernelTypeError(
            "a numpy array is not taken in a kernel",
            loc,
            hints=["pass it as a buffer (sd.In), or write k.table(f32, numbers.tolist())"],
        )
    if type(value).__module__ == "numpy":
        return KernelTypeError(
            f"a numpy {name} is not taken in a kernel",
            loc,
            hints=["write float(x) or int(x), or pass it as a parameter (sd.Param)"],
        )
    hints: list[str] = []
    if hasattr(type(value), "value"):
        hints = ["read it with .load()" if hasattr(type(value), "load") else "read it with .value"]
    elif hasattr(type(value), "at"):
        hints = ["read an element: x[i]"]
    elif isinstance(value, bool | int | float):
        hints = [f"give it a type: f32({value})"]
    elif isinstance(value, tuple | list):
        hints = ["construct a vector: sd.vec3f(x, y, z)"]
    elif value is None:
        hints = ["a function without a result gives None"]
    elif isinstance(value, type):
        hints = ["the value comes first, the type after it"]
    usual = ["a kernel computes with numbers, vectors, matrices and structures"]
    return KernelTypeError(f"{article(name)} is not a value of a kernel", loc, hints=hints or usual)
