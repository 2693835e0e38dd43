"""What Python would do by itself with a value, a place, a buffer or a block, in silence or with an error of its own: each is refused.

    refuse(Value, [*OPERATORS, *CONVERSIONS], no_operator)      # every operator that the class does not have raises no_operator(self, symbol, *others)

Without these, `total == 3` on a variable is Python's identity, `for v in x` over a buffer never ends, and `True + True` is 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TypeVar

from shaderdsl.errors import ShaderError

T = TypeVar("T")

BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "divmod": "divmod",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNARY = {
    "neg": "-",
    "pos": "+",
    "invert": "~",
    "abs": "abs",
    "round": "round",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
}
OPERATORS = BINARY | {f"r{name}": symbol for name, symbol in BINARY.items()} | COMPARISONS | UNARY
CONVERSIONS = {
    "iter": "iteration",
    "len": "len",
    "bool": "truth",
    "index": "index",
    "int": "int",
    "float": "float",
    "contains": "in",
    "enter": "with",
    "exit": "with",
    "getitem": "[]",
    "setitem": "[] =",
    "delitem": "del",
    "setattr": ". =",
    "delattr": "del",
    "array": "numpy",
    "array_ufunc": "numpy",
    "call": "()",
}


def refuse(cls: type[Any], methods: Iterable[str], error: Callable[..., ShaderError]) -> None:
    """Give `cls` every method of these names that it lacks, raising `error(self, symbol, *others)`."""
    for name in methods:
        dunder = f"__{name}__"
        if dunder not in cls.__dict__:
            setattr(cls, dunder, refusing(OPERATORS.get(name) or CONVERSIONS[name], error))
    type.__setattr__(cls, "__hash__", object.__hash__)  # Python takes it away with `==`
    type.__setattr__(cls, "__copy__", itself)
    type.__setattr__(cls, "__deepcopy__", itself)


def itself(thing: T, *memo: object) -> T:
    """A copy of what stands for something in the kernel is that thing: `dataclasses.replace` and `copy.deepcopy` of a user's record work."""
    del memo
    return thing


def refusing(symbol: str, error: Callable[..., ShaderError]) -> Callable[..., NoReturn]:
    def method(self: object, *others: object) -> NoReturn:
        raise error(self, symbol, *others)

    return method


def article(noun: str) -> str:
    """`an int`, `a list`; a class is one, whatever its own class."""
    if noun == "type":
        return "a class"
    return f"an {noun}" if noun[:1].lower() in "aeio" else f"a {noun}"
