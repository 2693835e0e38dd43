"""Which class of sympy each function and operator of formulas is, both ways."""

from __future__ import annotations

from typing import Any

from shaderdsl.spec.notation import Operator
from shaderdsl.spec.real import (
    Both,
    Either,
    Equal,
    FloorDiv,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Mod,
    Negation,
    Refused,
    Stopped,
    Through,
    Unequal,
    Where,
    sympy,
)
from shaderdsl.spec.slopes import (
    Abs,
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Clamp,
    Cosh,
    Exp,
    Expm1,
    Exprel,
    ExprelSlope,
    Gelu,
    GeluSlope,
    Ldexp,
    Log1p,
    Max,
    Min,
    Power,
    Quotient,
    Relu,
    Sigmoid,
    Silu,
    SiluSlope,
    Sinh,
    Smoothstep,
    Softplus,
    Tanh,
)

OPERATORS: dict[Operator, Any] = {
    Operator.GT: Greater,
    Operator.GE: GreaterEqual,
    Operator.LT: Less,
    Operator.LE: LessEqual,
    Operator.EQ: Equal,
    Operator.NE: Unequal,
    Operator.AND: Both,
    Operator.OR: Either,
    Operator.NOT: Negation,
    Operator.FLOOR_DIV: FloorDiv,
    Operator.MOD: Mod,
}
FUNCTIONS: dict[str, Any] = {
    "sigmoid": Sigmoid,
    "tanh": Tanh,
    "softplus": Softplus,
    "silu": Silu,
    "silu_slope": SiluSlope,
    "gelu": Gelu,
    "gelu_slope": GeluSlope,
    "expm1": Expm1,
    "log1p": Log1p,
    "exprel": Exprel,
    "exprel_slope": ExprelSlope,
    "abs": Abs,
    "relu": Relu,
    "max": Max,
    "min": Min,
    "clamp": Clamp,
    "smoothstep": Smoothstep,
    "where": Where,
    "stop_gradient": Stopped,
    "straight_through": Through,
    "exp": Exp,
    "log": sympy.log,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "asin": Asin,
    "acos": Acos,
    "atan": Atan,
    "sinh": Sinh,
    "cosh": Cosh,
    "asinh": Asinh,
    "acosh": Acosh,
    "atanh": Atanh,
    "atan2": Atan2,
    "ldexp": Ldexp,
}
UNBOUNDED = (Exp, sympy.log, Log1p, Exprel, ExprelSlope, Sinh, Cosh, Power, Quotient)
"""Functions that are infinite somewhere: what a `where` guards against."""
BACK_OPERATORS = {cls: op for op, cls in OPERATORS.items()} | {Quotient: Operator.DIV}
BACK_FUNCTIONS = {cls: name for name, cls in FUNCTIONS.items()}


def class_of(name: str) -> Any:
    """The class of a function by its name in formulas; one without a derivative gets one that says so."""
    found = FUNCTIONS.get(name)
    if found is None:
        found = FUNCTIONS[name] = type(name.title(), (Refused,), {"spelled": name})
        BACK_FUNCTIONS[found] = name
    return found
