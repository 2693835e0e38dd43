"""Inverse functions by series, since devices may be off by 4e-4 there: asin, acos, atan, atan2, asinh, acosh, atanh.

apply(ATAN2, [y, x], None)      # within 3e-7

Angles go through one polynomial for tangents up to 1, the hyperbolic ones through log(1 + u), right for small u.
"""

from __future__ import annotations

import math

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import F32
from shaderdsl.lang.functions.emitted import Form, apply
from shaderdsl.lang.functions.stable import keeping_nan
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.schedule.series import ATANH_TERMS, polynomial

ATAN_TERMS = (8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1)
ASIN_TERMS = (4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1)
EIGHTH = 0.4142135623730950
"""tan(pi / 8)"""
LARGE = 1e9
"""From here on 1 is nothing beside the square."""


def number(at: Steps, value: float) -> Expr:
    return at.number(value, F32)


def sub(at: Steps, x: Expr, y: Expr) -> Expr:
    return at.binary(BinaryOp.SUB, x, y)


def add(at: Steps, x: Expr, y: Expr) -> Expr:
    return at.binary(BinaryOp.ADD, x, y)


def mul(at: Steps, x: Expr, y: Expr) -> Expr:
    return at.binary(BinaryOp.MUL, x, y)


def div(at: Steps, x: Expr, y: Expr) -> Expr:
    return at.binary(BinaryOp.DIV, x, y)


def choose(at: Steps, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return at.call(Builtin.SELECT, otherwise, then, condition)


def signed(at: Steps, size: Expr, x: Expr) -> Expr:
    """`size` with the sign of x."""
    return choose(at, at.binary(BinaryOp.LT, x, number(at, 0)), at.unary(UnaryOp.NEGATE, size), size)


def odd_series(at: Steps, terms: tuple[float, ...], x: Expr) -> Expr:
    """x + x z p(z) for z = x x."""
    z = mul(at, x, x)
    return add(at, mul(at, mul(at, polynomial(at, terms, z), z), x), x)


def unit_atan(at: Steps, x: Expr) -> Expr:
    """atan of 0 to 1."""
    far = at.binary(BinaryOp.GT, x, number(at, EIGHTH))
    turned = div(at, sub(at, x, number(at, 1)), add(at, x, number(at, 1)))
    found = odd_series(at, ATAN_TERMS, choose(at, far, turned, x))
    return add(at, found, choose(at, far, number(at, math.pi / 4), number(at, 0)))


def atan_steps(at: Steps, x: Expr) -> Expr:
    size = at.call(Builtin.ABS, x)
    steep = at.binary(BinaryOp.GT, size, number(at, 1))
    found = unit_atan(at, choose(at, steep, div(at, number(at, 1), size), size))
    return signed(at, choose(at, steep, sub(at, number(at, math.pi / 2), found), found), x)


def atan2_steps(at: Steps, y: Expr, x: Expr) -> Expr:
    a, b = at.call(Builtin.ABS, y), at.call(Builtin.ABS, x)
    least, most = at.call(Builtin.MIN, a, b), at.call(Builtin.MAX, a, b)
    tangent = choose(at, at.binary(BinaryOp.EQ, most, number(at, 0)), number(at, 0), div(at, least, most))
    found = unit_atan(at, tangent)
    found = choose(at, at.binary(BinaryOp.GT, a, b), sub(at, number(at, math.pi / 2), found), found)
    found = choose(at, at.binary(BinaryOp.LT, x, number(at, 0)), sub(at, number(at, math.pi), found), found)
    return signed(at, found, y)


def half_root(at: Steps, size: Expr) -> Expr:
    """asin(sqrt((1 - size) / 2)), half of acos(size)."""
    root = at.call(Builtin.SQRT, mul(at, number(at, 0.5), sub(at, number(at, 1), size)))
    return odd_series(at, ASIN_TERMS, root)


def asin_steps(at: Steps, x: Expr) -> Expr:
    size = at.call(Builtin.ABS, x)
    far = sub(at, number(at, math.pi / 2), mul(at, number(at, 2), half_root(at, size)))
    near = odd_series(at, ASIN_TERMS, size)
    return signed(at, choose(at, at.binary(BinaryOp.GT, size, number(at, 0.5)), far, near), x)


def acos_steps(at: Steps, x: Expr) -> Expr:
    size = at.call(Builtin.ABS, x)
    angle = mul(at, number(at, 2), half_root(at, size))
    far = choose(at, at.binary(BinaryOp.LT, x, number(at, 0)), sub(at, number(at, math.pi), angle), angle)
    near = sub(at, number(at, math.pi / 2), odd_series(at, ASIN_TERMS, x))
    return choose(at, at.binary(BinaryOp.GT, size, number(at, 0.5)), far, near)


def log1p_steps(at: Steps, u: Expr) -> Expr:
    """log(1 + u) for u from 0: as 2 atanh(u / (2 + u)) up to 1."""
    s = div(at, u, add(at, number(at, 2), u))
    near = mul(at, number(at, 2), odd_series(at, ATANH_TERMS, s))
    far = at.call(Builtin.LOG, add(at, number(at, 1), u))
    return choose(at, at.binary(BinaryOp.LE, u, number(at, 1)), near, far)


def log_of_twice(at: Steps, x: Expr) -> Expr:
    return add(at, at.call(Builtin.LOG, x), number(at, math.log(2)))


def asinh_steps(at: Steps, x: Expr) -> Expr:
    size = at.call(Builtin.ABS, x)
    square = mul(at, size, size)
    root = at.call(Builtin.SQRT, add(at, square, number(at, 1)))
    near = apply(LOG1P, [add(at, size, div(at, square, add(at, number(at, 1), root)))], None)
    large = at.binary(BinaryOp.GT, size, number(at, LARGE))
    return signed(at, choose(at, large, log_of_twice(at, size), near), x)


def acosh_steps(at: Steps, x: Expr) -> Expr:
    above = sub(at, x, number(at, 1))
    root = at.call(Builtin.SQRT, mul(at, above, add(at, above, number(at, 2))))
    near = apply(LOG1P, [add(at, above, root)], None)
    return choose(at, at.binary(BinaryOp.GT, x, number(at, LARGE)), log_of_twice(at, x), near)


def atanh_steps(at: Steps, x: Expr) -> Expr:
    size = at.call(Builtin.ABS, x)
    inner = div(at, mul(at, number(at, 2), size), sub(at, number(at, 1), size))
    return signed(at, mul(at, number(at, 0.5), apply(LOG1P, [inner], None)), x)


LOG1P = Form("log1p", ("u",), log1p_steps)
ASIN = Form("asin_series", ("x",), keeping_nan(asin_steps))
ACOS = Form("acos_series", ("x",), keeping_nan(acos_steps))
ATAN = Form("atan_series", ("x",), keeping_nan(atan_steps))
ATAN2 = Form("atan2_series", ("y", "x"), atan2_steps)
ASINH = Form("asinh_series", ("x",), keeping_nan(asinh_steps))
ACOSH = Form("acosh_series", ("x",), keeping_nan(acosh_steps))
ATANH = Form("atanh_series", ("x",), keeping_nan(atanh_steps))
