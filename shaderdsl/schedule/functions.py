"""What each function of formulas is in the IR: a builtin, or a composed form where the builtin is not right everywhere.

emit_function(Steps(None), FUNCTIONS["gelu"], [x])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shaderdsl.errors import InternalError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import I32, U32
from shaderdsl.lang.functions.emitted import Form, apply
from shaderdsl.lang.functions.stable import SIGMOID
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.trace import current
from shaderdsl.schedule.exponentials import EXPM1, EXPREL, EXPREL_SLOPE, LOG1P, SOFTPLUS
from shaderdsl.schedule.forms import GELU, GELU_SLOPE, MUL_HIGH, POWER, SIGNED_MUL_HIGH
from shaderdsl.schedule.inverses import ACOS, ACOSH, ASIN, ASINH, ATAN, ATAN2, ATANH
from shaderdsl.schedule.series import COS, COSH, SILU, SILU_SLOPE, SIN, SINH, TAN, TANH
from shaderdsl.spec.functions import ScalarFunction


def formed(form: Form) -> Callable[..., Expr]:
    def call(_: Steps, *arguments: Expr) -> Expr:
        return apply(form, arguments, None)

    return call


def binary(op: BinaryOp) -> Callable[..., Expr]:
    def call(at: Steps, x: Expr, y: Expr) -> Expr:
        return at.binary(op, x, y)

    return call


def power(_: Steps, x: Expr, y: Expr) -> Expr:
    """The form holds inf and NaN, which are made of the run-time zero."""
    current(None).use_zero(None)
    return apply(POWER, [x, y], None)


def shifted(op: BinaryOp) -> Callable[..., Expr]:
    """By the count's last five bits, as WGSL shifts at run time."""

    def shift(at: Steps, x: Expr, count: Expr) -> Expr:
        if isinstance(count, Const):
            return at.binary(op, x, at.number(int(count.value) & 31, U32))
        return at.binary(op, x, at.binary(BinaryOp.AND, count, at.number(31, U32)))

    return shift


def clamped(at: Steps, x: Expr, low: Expr, high: Expr) -> Expr:
    return at.call(Builtin.MIN, at.call(Builtin.MAX, x, low), high)


def sign(at: Steps, x: Expr) -> Expr:
    return at.call(Builtin.MIN, x, at.number(1, U32)) if x.type == U32 else at.call(Builtin.SIGN, x)


def mul_high(_: Steps, x: Expr, y: Expr) -> Expr:
    return apply(SIGNED_MUL_HIGH if x.type == I32 else MUL_HIGH, [x, y], None)


def distance(at: Steps, x: Expr, y: Expr) -> Expr:
    return at.call(Builtin.ABS, at.binary(BinaryOp.SUB, x, y))


def size(at: Steps, x: Expr) -> Expr:
    return at.call(Builtin.ABS, x)


def chosen(at: Steps, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return at.call(Builtin.SELECT, otherwise, then, condition)


def relu(at: Steps, x: Expr) -> Expr:
    return at.call(Builtin.MAX, x, at.number(0, x.type))


def complement(at: Steps, x: Expr) -> Expr:
    return at.unary(UnaryOp.COMPLEMENT, x)


def first(_: Steps, *arguments: Expr) -> Expr:
    return arguments[0]


SPECIAL: dict[str, Callable[..., Expr]] = {
    "acos": formed(ACOS),
    "acosh": formed(ACOSH),
    "asin": formed(ASIN),
    "asinh": formed(ASINH),
    "atan": formed(ATAN),
    "atan2": formed(ATAN2),
    "atanh": formed(ATANH),
    "clamp": clamped,
    "cos": formed(COS),
    "cosh": formed(COSH),
    "distance": distance,
    "length": size,
    "pow": power,
    "sign": sign,
    "sin": formed(SIN),
    "sinh": formed(SINH),
    "tan": formed(TAN),
    "tanh": formed(TANH),
    "where": chosen,
    "relu": relu,
    "sigmoid": formed(SIGMOID),
    "silu": formed(SILU),
    "silu_slope": formed(SILU_SLOPE),
    "softplus": formed(SOFTPLUS),
    "expm1": formed(EXPM1),
    "log1p": formed(LOG1P),
    "exprel": formed(EXPREL),
    "exprel_slope": formed(EXPREL_SLOPE),
    "gelu": formed(GELU),
    "gelu_slope": formed(GELU_SLOPE),
    "stop_gradient": first,
    "straight_through": first,
    "bit_and": binary(BinaryOp.AND),
    "bit_or": binary(BinaryOp.OR),
    "bit_xor": binary(BinaryOp.XOR),
    "bit_not": complement,
    "shift_left": shifted(BinaryOp.SHL),
    "shift_right": shifted(BinaryOp.SHR),
    "mul_high": mul_high,
}
"""Functions that are not their builtin alone. f32, i32 and u32 are conversions, and ldexp depends on its exponent's type."""


def emit_function(at: Steps, function: ScalarFunction, arguments: Sequence[Expr]) -> Expr:
    """A call on arguments that have the function's types already."""
    special = SPECIAL.get(function.name)
    if special is not None:
        return special(at, *arguments)
    if function.builtin is None:
        raise InternalError(f"{function.name} has no form in the IR")
    return at.call(function.builtin, *arguments)
