"""Functions whose plain formula overflows, in forms that do not; NaN passes through by a test of its bits.

Each is one function of the module for each type that uses it: `fn safe_tanh(x: f32) -> f32`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shaderdsl.errors import KernelTypeError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import F16, Matrix, is_float, scalar_of
from shaderdsl.lang.functions.emitted import Form, apply
from shaderdsl.lang.functions.kinds import F
from shaderdsl.lang.functions.special import INFINITY, magnitude_bits
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.here import here
from shaderdsl.lang.value import Value, expr_of, wrap, wrong_operand


def tanh(x: F) -> F:
    """The hyperbolic tangent, right for every x: WGSL's own is NaN beyond |x| of 44 to 88 on some devices; 1e-5 absolute."""
    return applied(TANH, x)


def sigmoid(x: F) -> F:
    """1 / (1 + exp(-x)) without overflow, and with the relative accuracy of exp far below zero."""
    return applied(SIGMOID, x)


def softplus(x: F) -> F:
    """log(1 + exp(x)) without overflow, as max(x, 0) + log(1 + exp(-|x|)); 5e-7 absolute for x up to 4, then relative."""
    return applied(SOFTPLUS, x)


def silu(x: F) -> F:
    """x * sigmoid(x) without overflow; NaN at -inf, as the formula has it."""
    return applied(SILU, x)


def applied(form: Form, x: object) -> Any:
    loc = here()
    if not isinstance(x, Value):
        raise wrong_operand(x, loc)
    expr = expr_of(x, loc)
    if not is_float(expr.type) or isinstance(expr.type, Matrix):
        raise KernelTypeError(
            f"{form.name} takes floats and vectors of them, not {expr.type}", loc, hints=["convert it with .f32"]
        )
    return wrap(apply(form, [expr], loc))


def keeping_nan(steps: Callable[[Steps, Expr], Expr]) -> Callable[[Steps, Expr], Expr]:
    """`steps`, or x itself where x is NaN."""

    def kept(at: Steps, x: Expr) -> Expr:
        magnitude = magnitude_bits(at, x)
        missing = at.binary(BinaryOp.GT, magnitude, at.number(INFINITY, magnitude.type))
        return at.call(Builtin.SELECT, steps(at, x), x, missing)

    return kept


def tanh_steps(at: Steps, x: Expr) -> Expr:
    """tanh of x clamped to where it is 1 already, and where exp(2x) is still finite."""
    bound = 5.0 if scalar_of(x.type) == F16 else 20.0
    clamped = at.call(Builtin.CLAMP, x, at.number(-bound, x.type), at.number(bound, x.type))
    return at.call(Builtin.TANH, clamped)


def decay(at: Steps, x: Expr) -> Expr:
    """exp(-|x|), which never overflows."""
    return at.call(Builtin.EXP, at.unary(UnaryOp.NEGATE, at.call(Builtin.ABS, x)))


def sigmoid_steps(at: Steps, x: Expr) -> Expr:
    small, one = decay(at, x), at.number(1, x.type)
    positive = at.binary(BinaryOp.GE, x, at.number(0, x.type))
    above = at.call(Builtin.SELECT, small, one, positive)
    return at.binary(BinaryOp.DIV, above, at.binary(BinaryOp.ADD, one, small))


def softplus_steps(at: Steps, x: Expr) -> Expr:
    one, zero = at.number(1, x.type), at.number(0, x.type)
    tail = at.call(Builtin.LOG, at.binary(BinaryOp.ADD, one, decay(at, x)))
    return at.binary(BinaryOp.ADD, at.call(Builtin.MAX, x, zero), tail)


def silu_steps(at: Steps, x: Expr) -> Expr:
    return at.binary(BinaryOp.MUL, x, apply(SIGMOID, [x], at.loc))


TANH = Form("safe_tanh", ("x",), keeping_nan(tanh_steps))
SIGMOID = Form("sigmoid", ("x",), keeping_nan(sigmoid_steps))
SOFTPLUS = Form("softplus", ("x",), keeping_nan(softplus_steps))
SILU = Form("silu", ("x",), keeping_nan(silu_steps))
