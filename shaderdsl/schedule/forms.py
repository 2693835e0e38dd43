"""Composed functions of formulas that the language does not have: one function of the module for each type that uses it.

apply(POWER, [x, y], None)
"""

from __future__ import annotations

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import F32, I32, U32
from shaderdsl.lang import fold
from shaderdsl.lang.functions.emitted import Form, apply
from shaderdsl.lang.functions.integers import div_floor_steps, mod_floor_steps
from shaderdsl.lang.functions.special import BITS_OF_INF, BITS_OF_NAN
from shaderdsl.lang.functions.stable import SIGMOID, keeping_nan
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.spec.meanings import GELU_CUBE, GELU_FARTHEST, GELU_SCALE


def or_zero(at: Steps, value: Expr, divisor: Expr) -> Expr:
    """A division by zero is 0 in formulas."""
    zero = at.number(0, divisor.type)
    return at.call(Builtin.SELECT, value, zero, at.binary(BinaryOp.EQ, divisor, zero))


def floor_div_steps(at: Steps, x: Expr, y: Expr) -> Expr:
    quotient = at.binary(BinaryOp.DIV, x, y) if x.type == U32 else div_floor_steps(at, x, y)
    return or_zero(at, quotient, y)


def floor_mod_steps(at: Steps, x: Expr, y: Expr) -> Expr:
    remainder = at.binary(BinaryOp.REM, x, y) if x.type == U32 else mod_floor_steps(at, x, y)
    return or_zero(at, remainder, y)


def gelu_steps(at: Steps, x: Expr) -> Expr:
    """x * sigmoid(2 u), where u = sqrt(2 / pi) (x + 0.044715 x^3)."""
    cube = at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, x, x), x)
    inner = at.binary(BinaryOp.ADD, x, at.binary(BinaryOp.MUL, at.number(GELU_CUBE, F32), cube))
    return at.binary(
        BinaryOp.MUL,
        x,
        apply(SIGMOID, [at.binary(BinaryOp.MUL, at.number(2.0 * GELU_SCALE, F32), inner)], None),
    )


LARGEST_HALF = 80.0
"""exp of it is finite, and exp(-2 LARGEST_HALF) is 0."""


def gelu_slope_steps(at: Steps, x: Expr) -> Expr:
    """sigmoid(v) (1 + x sigmoid(-v) v') for v = 2 u, by h = exp(-|v| / 2): exp(-|v|) alone is lost before the product is."""
    far = at.number(GELU_FARTHEST, F32)
    x = at.call(Builtin.MIN, at.call(Builtin.MAX, x, at.number(-GELU_FARTHEST, F32)), far)
    square = at.binary(BinaryOp.MUL, x, x)
    v = at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, x, line(at, square, GELU_CUBE)), at.number(2 * GELU_SCALE, F32))
    moved = at.binary(
        BinaryOp.MUL, at.binary(BinaryOp.MUL, x, line(at, square, 3 * GELU_CUBE)), at.number(2 * GELU_SCALE, F32)
    )
    half = at.binary(BinaryOp.MUL, at.number(0.5, F32), at.call(Builtin.ABS, v))
    half = at.call(Builtin.MIN, half, at.number(LARGEST_HALF, F32))
    h, inverse = at.call(Builtin.EXP, at.unary(UnaryOp.NEGATE, half)), at.call(Builtin.EXP, half)
    below = line(at, at.binary(BinaryOp.MUL, h, h), 1)
    rest = at.binary(BinaryOp.DIV, moved, below)
    above = line(at, at.binary(BinaryOp.MUL, at.binary(BinaryOp.MUL, rest, h), h), 1)
    negative = at.binary(BinaryOp.LT, x, at.number(0, F32))
    chosen = at.call(Builtin.SELECT, above, at.binary(BinaryOp.MUL, line(at, rest, 1), h), negative)
    return at.binary(
        BinaryOp.DIV, chosen, at.call(Builtin.SELECT, below, at.binary(BinaryOp.ADD, inverse, h), negative)
    )


def line(at: Steps, x: Expr, slope: float) -> Expr:
    """1 + slope * x."""
    grown = x if slope == 1 else at.binary(BinaryOp.MUL, at.number(slope, F32), x)
    return at.binary(BinaryOp.ADD, at.number(1, F32), grown)


def power_steps(at: Steps, x: Expr, y: Expr) -> Expr:
    """pow as numpy has it: of a negative number with a whole exponent too, 1 for the exponent 0, and right at 0."""
    zero, one = at.number(0, F32), at.number(1, F32)
    size = at.call(Builtin.POW, at.call(Builtin.ABS, x), y)
    at_zero = at.call(Builtin.SELECT, infinity(), zero, at.binary(BinaryOp.GT, y, zero))
    size = at.call(Builtin.SELECT, size, at_zero, at.binary(BinaryOp.EQ, x, zero))
    half = at.binary(BinaryOp.MUL, y, at.number(0.5, F32))
    odd = at.binary(BinaryOp.NE, at.call(Builtin.FLOOR, half), half)
    signed = at.call(Builtin.SELECT, size, at.unary(UnaryOp.NEGATE, size), odd)
    whole = at.binary(BinaryOp.EQ, at.call(Builtin.FLOOR, y), y)
    below = at.call(Builtin.SELECT, not_a_number(), signed, whole)
    found = at.call(Builtin.SELECT, size, below, at.binary(BinaryOp.LT, x, zero))
    return at.call(Builtin.SELECT, found, one, at.binary(BinaryOp.EQ, y, zero))


def infinity() -> Expr:
    return fold.float_bits(BITS_OF_INF[F32], F32, None)


def not_a_number() -> Expr:
    return fold.float_bits(BITS_OF_NAN[F32], F32, None)


def high_steps(at: Steps, x: Expr, y: Expr) -> Expr:
    """The upper 32 bits of a product of u32, from products of halves."""
    low, half = at.number(0xFFFF, U32), at.number(16, U32)

    def parts(v: Expr) -> tuple[Expr, Expr]:
        return at.binary(BinaryOp.AND, v, low), at.binary(BinaryOp.SHR, v, half)

    (a, b), (c, d) = parts(x), parts(y)
    bottom = at.binary(BinaryOp.MUL, a, c)
    first = at.binary(BinaryOp.ADD, at.binary(BinaryOp.MUL, b, c), at.binary(BinaryOp.SHR, bottom, half))
    second = at.binary(BinaryOp.ADD, at.binary(BinaryOp.MUL, a, d), at.binary(BinaryOp.AND, first, low))
    top = at.binary(BinaryOp.ADD, at.binary(BinaryOp.MUL, b, d), at.binary(BinaryOp.SHR, first, half))
    return at.binary(BinaryOp.ADD, top, at.binary(BinaryOp.SHR, second, half))


def signed_high_steps(at: Steps, x: Expr, y: Expr) -> Expr:
    """The same of i32: each negative factor takes the other one off the upper half."""
    a, b = at.convert(x, U32), at.convert(y, U32)
    high, zero = high_steps(at, a, b), at.number(0, U32)
    for factor, other in ((x, b), (y, a)):
        below = at.binary(BinaryOp.LT, factor, at.number(0, I32))
        high = at.binary(BinaryOp.SUB, high, at.call(Builtin.SELECT, zero, other, below))
    return at.convert(high, I32)


FLOOR_DIV = Form("floor_div", ("x", "y"), floor_div_steps)
FLOOR_MOD = Form("floor_mod", ("x", "y"), floor_mod_steps)
GELU = Form("gelu", ("x",), gelu_steps)
GELU_SLOPE = Form("gelu_slope", ("x",), keeping_nan(gelu_slope_steps))
POWER = Form("power", ("x", "y"), power_steps)
MUL_HIGH = Form("mul_high", ("x", "y"), high_steps)
SIGNED_MUL_HIGH = Form("signed_mul_high", ("x", "y"), signed_high_steps)
