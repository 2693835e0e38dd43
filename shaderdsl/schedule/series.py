"""Functions that devices compute too coarsely or whose parts overflow: sin, cos and tan (2**-11 on some), tanh, sinh, cosh, silu.

apply(SIN, [x], None)       # within 2e-7 for |x| up to 100,000; beyond, the device's own

The range reduction takes pi / 2 in three parts of few bits, as Cody and Waite do, so that products with whole numbers are exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import F32, I32
from shaderdsl.lang.functions.emitted import Form, apply
from shaderdsl.lang.functions.stable import keeping_nan
from shaderdsl.lang.functions.steps import Steps

QUARTER = (1.5703125, 4.837512969970703125e-4, 7.549789948768648e-8)
"""pi / 2 in three parts."""
TURNS = 0.6366197723675814
"""2 / pi"""
FARTHEST = 1e5
SIN_TERMS = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
COS_TERMS = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
"""Of polynomials in r * r that are within 1e-7 for |r| up to pi / 4."""
ATANH_TERMS = tuple(1.0 / n for n in range(15, 2, -2))
TANH_TERMS = (62.0 / 2835.0, -17.0 / 315.0, 2.0 / 15.0, -1.0 / 3.0)
SINH_TERMS = (1.0 / 362880.0, 1.0 / 5040.0, 1.0 / 120.0, 1.0 / 6.0)
NEAR = 0.3


def polynomial(at: Steps, terms: Sequence[float], z: Expr) -> Expr:
    """By Horner, the highest power first."""
    found = at.number(terms[0], F32)
    for each in terms[1:]:
        found = at.binary(BinaryOp.ADD, at.binary(BinaryOp.MUL, found, z), at.number(each, F32))
    return found


def reduced(at: Steps, x: Expr) -> tuple[Expr, Expr, Expr]:
    """The nearest number of quarter turns, and sine and cosine of what is left."""
    turns = at.call(Builtin.ROUND, at.binary(BinaryOp.MUL, x, at.number(TURNS, F32)))
    r = x
    for part in QUARTER:
        r = at.binary(BinaryOp.SUB, r, at.binary(BinaryOp.MUL, turns, at.number(part, F32)))
    z = at.binary(BinaryOp.MUL, r, r)
    cubic = at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, polynomial(at, SIN_TERMS, z), z), r)
    sine = at.binary(BinaryOp.ADD, cubic, r)
    quartic = at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, polynomial(at, COS_TERMS, z), z), z)
    flat = at.binary(BinaryOp.SUB, at.number(1, F32), at.binary(BinaryOp.MUL, at.number(0.5, F32), z))
    return at.convert(turns, I32), sine, at.binary(BinaryOp.ADD, flat, quartic)


def bit(at: Steps, number: Expr, value: int) -> Expr:
    return at.binary(BinaryOp.NE, at.binary(BinaryOp.AND, number, at.number(value, I32)), at.number(0, I32))


def turned(at: Steps, turns: Expr, straight: Expr, crossed: Expr) -> Expr:
    """`crossed` after odd quarter turns, negated in the second half of a turn."""
    size = at.call(Builtin.SELECT, straight, crossed, bit(at, turns, 1))
    return at.call(Builtin.SELECT, size, at.unary(UnaryOp.NEGATE, size), bit(at, turns, 2))


def unless_far(at: Steps, x: Expr, value: Expr, builtin: Builtin) -> Expr:
    near = at.binary(BinaryOp.LE, at.call(Builtin.ABS, x), at.number(FARTHEST, F32))
    return at.call(Builtin.SELECT, at.call(builtin, x), value, near)


def sin_steps(at: Steps, x: Expr) -> Expr:
    turns, sine, cosine = reduced(at, x)
    return unless_far(at, x, turned(at, turns, sine, cosine), Builtin.SIN)


def cos_steps(at: Steps, x: Expr) -> Expr:
    turns, sine, cosine = reduced(at, x)
    ahead = at.binary(BinaryOp.ADD, turns, at.number(1, I32))
    return unless_far(at, x, turned(at, ahead, sine, cosine), Builtin.COS)


def tan_steps(at: Steps, x: Expr) -> Expr:
    return at.binary(BinaryOp.DIV, apply(SIN, [x], None), apply(COS, [x], None))


def tanh_steps(at: Steps, x: Expr) -> Expr:
    """Near 0 by its series, else 1 - 2 / (exp(2 |x|) + 1) with the sign of x."""
    z = at.binary(BinaryOp.MUL, x, x)
    near = at.binary(
        BinaryOp.ADD, x, at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, polynomial(at, TANH_TERMS, z), z), x)
    )
    size = at.call(Builtin.MIN, at.call(Builtin.ABS, x), at.number(20, F32))
    grown = at.call(Builtin.EXP, at.binary(BinaryOp.MUL, at.number(2, F32), size))
    rest = at.binary(BinaryOp.DIV, at.number(2, F32), at.binary(BinaryOp.ADD, grown, at.number(1, F32)))
    far = at.binary(BinaryOp.SUB, at.number(1, F32), rest)
    signed = at.call(Builtin.SELECT, far, at.unary(UnaryOp.NEGATE, far), at.binary(BinaryOp.LT, x, at.number(0, F32)))
    return at.call(Builtin.SELECT, signed, near, at.binary(BinaryOp.LT, size, at.number(NEAR, F32)))


def silu_steps(at: Steps, x: Expr) -> Expr:
    """x / (1 + exp(-x)), below 0 as x h / (1 / h + h) for h = exp(x / 2): exp(x) alone is lost before the product is.

    A product (x h) h would do, if no driver took it for x (h h); NVIDIA's does.
    """
    h, inverse = roots(at, x)
    negative = at.binary(BinaryOp.LT, x, at.number(0, F32))
    above = at.call(Builtin.SELECT, x, at.binary(BinaryOp.MUL, x, h), negative)
    square = at.binary(BinaryOp.ADD, at.number(1, F32), at.binary(BinaryOp.MUL, h, h))
    return at.binary(
        BinaryOp.DIV, above, at.call(Builtin.SELECT, square, at.binary(BinaryOp.ADD, inverse, h), negative)
    )


def roots(at: Steps, x: Expr) -> tuple[Expr, Expr]:
    """exp(-|x| / 2) and exp(|x| / 2)."""
    half = at.binary(BinaryOp.MUL, at.number(0.5, F32), at.call(Builtin.ABS, x))
    return at.call(Builtin.EXP, at.unary(UnaryOp.NEGATE, half)), at.call(Builtin.EXP, half)


def silu_slope_steps(at: Steps, x: Expr) -> Expr:
    """sigmoid(x) (1 + x sigmoid(-x)), below 0 as f h / (1 / h + h) for the factor f and h = exp(x / 2)."""
    one = at.number(1, F32)
    h, inverse = roots(at, x)
    below = at.binary(BinaryOp.ADD, one, at.binary(BinaryOp.MUL, h, h))
    rest = at.binary(BinaryOp.DIV, x, below)
    above = at.binary(BinaryOp.ADD, one, at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, rest, h), h))
    negative = at.binary(BinaryOp.LT, x, at.number(0, F32))
    small = at.binary(BinaryOp.MUL, at.binary(BinaryOp.ADD, one, rest), h)
    chosen = at.call(Builtin.SELECT, above, small, negative)
    return at.binary(
        BinaryOp.DIV, chosen, at.call(Builtin.SELECT, below, at.binary(BinaryOp.ADD, inverse, h), negative)
    )


FARTHEST_COSH = 170.0
"""exp of half of it is finite, and its cosh is infinite."""


def halves(at: Steps, x: Expr) -> tuple[Expr, Expr]:
    """exp(|x|) / 2 and exp(-|x|) / 2, as quotients of exp(|x| / 2) and its inverse: the first is finite as long as its half is.

    Products would be, if no driver took r (r / 2) for (r r) / 2; NVIDIA's does.
    """
    near = at.call(Builtin.MIN, at.call(Builtin.ABS, x), at.number(FARTHEST_COSH, F32))
    small, large = roots(at, near)
    return (
        at.binary(BinaryOp.DIV, large, at.binary(BinaryOp.ADD, small, small)),
        at.binary(BinaryOp.DIV, small, at.binary(BinaryOp.ADD, large, large)),
    )


def cosh_steps(at: Steps, x: Expr) -> Expr:
    return at.binary(BinaryOp.ADD, *halves(at, x))


def sinh_steps(at: Steps, x: Expr) -> Expr:
    z = at.binary(BinaryOp.MUL, x, x)
    near = at.binary(
        BinaryOp.ADD, x, at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, polynomial(at, SINH_TERMS, z), z), x)
    )
    size = at.binary(BinaryOp.SUB, *halves(at, x))
    far = at.call(Builtin.SELECT, size, at.unary(UnaryOp.NEGATE, size), at.binary(BinaryOp.LT, x, at.number(0, F32)))
    return at.call(Builtin.SELECT, far, near, at.binary(BinaryOp.LT, at.call(Builtin.ABS, x), at.number(1, F32)))


SIN = Form("sin_series", ("x",), sin_steps)
COS = Form("cos_series", ("x",), cos_steps)
TAN = Form("tan_series", ("x",), tan_steps)
TANH = Form("tanh_series", ("x",), keeping_nan(tanh_steps))
SILU = Form("silu_series", ("x",), keeping_nan(silu_steps))
SILU_SLOPE = Form("silu_slope", ("x",), keeping_nan(silu_slope_steps))
COSH = Form("cosh_series", ("x",), keeping_nan(cosh_steps))
SINH = Form("sinh_series", ("x",), keeping_nan(sinh_steps))
