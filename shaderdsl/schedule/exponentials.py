"""Functions that cancel near 0 as they are usually written: expm1, log1p, exprel and its slope, and softplus, which ends in a logarithm near 1.

apply(EXPREL, [z], None)       # (exp(z) - 1) / z, 1 at 0

Near 0 each is a series; far away exp(z) is the square of exp(z / 2), so that exp(z) / z is finite as long as it is representable.
"""

from __future__ import annotations

from math import factorial

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F32
from shaderdsl.lang.functions.emitted import Form
from shaderdsl.lang.functions.stable import decay, keeping_nan
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.schedule.series import ATANH_TERMS, polynomial

NEAR = 1.0
"""Up to this |z| the series are taken: 12 terms of exprel and 11 of its slope are then within 2e-9."""
EXPREL_TERMS = tuple(1.0 / factorial(k + 1) for k in reversed(range(12)))
SLOPE_TERMS = tuple(k / factorial(k + 1) for k in reversed(range(1, 12)))
LARGEST = 100.0
"""exp(z) / z is infinite beyond, and so it is at infinity."""
LOG1P_LEAST, LOG1P_MOST = -0.5, 1.0
"""Between these the logarithm is a series: its builtin has an absolute error."""


def unless_near(at: Steps, z: Expr, near: Expr, far: Expr) -> Expr:
    return at.call(Builtin.SELECT, far, near, at.binary(BinaryOp.LT, at.call(Builtin.ABS, z), at.number(NEAR, F32)))


def quotient(at: Steps, z: Expr) -> tuple[Expr, Expr]:
    """exp(z) / z and 1 / z."""
    least = at.call(Builtin.MIN, z, at.number(LARGEST, F32))
    half = at.call(Builtin.EXP, at.binary(BinaryOp.MUL, at.number(0.5, F32), least))
    return (
        at.binary(BinaryOp.MUL, at.binary(BinaryOp.DIV, half, least), half),
        at.binary(BinaryOp.DIV, at.number(1, F32), least),
    )


def exprel_steps(at: Steps, z: Expr) -> Expr:
    far = at.binary(BinaryOp.SUB, *quotient(at, z))
    return unless_near(at, z, polynomial(at, EXPREL_TERMS, z), far)


def exprel_slope_steps(at: Steps, z: Expr) -> Expr:
    """(z exp(z) - exp(z) + 1) / z^2, far from 0 as e (1 - r) + r^2 for e = exp(z) / z and r = 1 / z."""
    grown, inverse = quotient(at, z)
    rest = at.binary(BinaryOp.SUB, at.number(1, F32), inverse)
    square = at.binary(BinaryOp.MUL, inverse, inverse)
    far = at.binary(BinaryOp.ADD, at.binary(BinaryOp.MUL, grown, rest), square)
    return unless_near(at, z, polynomial(at, SLOPE_TERMS, z), far)


def expm1_steps(at: Steps, x: Expr) -> Expr:
    near = at.binary(BinaryOp.MUL, x, polynomial(at, EXPREL_TERMS, x))
    return unless_near(at, x, near, at.binary(BinaryOp.SUB, at.call(Builtin.EXP, x), at.number(1, F32)))


def log_near(at: Steps, u: Expr) -> Expr:
    """log(1 + u) as 2 atanh(u / (2 + u)), u in front: right where u is too small to be added to 1."""
    two = at.number(2, F32)
    below = at.binary(BinaryOp.ADD, two, u)
    s = at.binary(BinaryOp.DIV, u, below)
    z = at.binary(BinaryOp.MUL, s, s)
    series = at.binary(BinaryOp.MUL, polynomial(at, ATANH_TERMS, z), z)
    above = at.binary(BinaryOp.ADD, two, at.binary(BinaryOp.MUL, two, series))
    return at.binary(BinaryOp.MUL, u, at.binary(BinaryOp.DIV, above, below))


def log1p_steps(at: Steps, x: Expr) -> Expr:
    far = at.call(Builtin.LOG, at.binary(BinaryOp.ADD, at.number(1, F32), x))
    near = at.binary(
        BinaryOp.LOGICAL_AND,
        at.binary(BinaryOp.GE, x, at.number(LOG1P_LEAST, F32)),
        at.binary(BinaryOp.LE, x, at.number(LOG1P_MOST, F32)),
    )
    return at.call(Builtin.SELECT, far, log_near(at, x), near)


def softplus_steps(at: Steps, x: Expr) -> Expr:
    """max(x, 0) + log(1 + exp(-|x|))."""
    return at.binary(BinaryOp.ADD, at.call(Builtin.MAX, x, at.number(0, F32)), log_near(at, decay(at, x)))


EXPM1 = Form("expm1", ("x",), keeping_nan(expm1_steps))
EXPREL = Form("exprel", ("z",), keeping_nan(exprel_steps))
EXPREL_SLOPE = Form("exprel_slope", ("z",), keeping_nan(exprel_slope_steps))
LOG1P = Form("log1p", ("x",), keeping_nan(log1p_steps))
SOFTPLUS = Form("softplus_series", ("x",), keeping_nan(softplus_steps))
