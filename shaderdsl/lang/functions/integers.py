"""Division and remainder by name, where Python and WGSL differ: `sd.div_floor(i, n)`, `sd.mod_trunc(i, n)`.

Of -7 and 3: div_floor -3, mod_floor 2 (Python's); div_trunc -2, mod_trunc -1 (WGSL's).
At run time a zero divisor gives x for a quotient and 0 for a remainder, and the least i32 by -1 gives itself.
"""

from __future__ import annotations

from typing import Any

from shaderdsl.errors import KernelTypeError
from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import I32, Scalar, is_float, is_integer, scalar_of, with_scalar
from shaderdsl.lang import fold
from shaderdsl.lang.functions.emitted import Form, apply
from shaderdsl.lang.functions.kinds import I, N
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import operands, operate
from shaderdsl.lang.value import wrap
from shaderdsl.source import Loc


def div_trunc(x: I | int, y: I | int) -> I:
    """The quotient rounded towards zero: WGSL's `/` on integers."""
    a, b = integers("div_trunc", BinaryOp.DIV, x, y, here())
    return operate(BinaryOp.DIV, wrap(a), wrap(b))


def mod_trunc(x: N | int | float, y: N | int | float) -> N:
    """The remainder that belongs to div_trunc, with the sign of x: what WGSL's `%` means; on floats x - y * trunc(x / y)."""
    loc = here()
    a, b = numbers(BinaryOp.REM, x, y, loc)
    if scalar_of(a.type) != I32 or (fold.constant(a) is not None and fold.constant(b) is not None):
        return operate(BinaryOp.REM, wrap(a), wrap(b))
    return wrap(apply(MOD_TRUNC, [a, b], loc) if fold.constant(b) is None else remainder_of(Steps(loc), a, b))


def div_floor(x: I | int, y: I | int) -> I:
    """The quotient rounded down: Python's `//` on integers."""
    loc = here()
    a, b = integers("div_floor", BinaryOp.DIV, x, y, loc)
    if scalar_of(a.type) == I32:
        return wrap(apply(DIV_FLOOR, [a, b], loc))
    return operate(BinaryOp.DIV, wrap(a), wrap(b))


def mod_floor(x: N | int | float, y: N | int | float) -> N:
    """The remainder that belongs to div_floor, with the sign of y: Python's `%`; on floats x - y * floor(x / y)."""
    loc = here()
    a, b = numbers(BinaryOp.REM, x, y, loc)
    if scalar_of(a.type) == I32:
        return wrap(apply(MOD_FLOOR, [a, b], loc))
    if is_float(a.type):
        return floating_mod(a, b, loc)
    return operate(BinaryOp.REM, wrap(a), wrap(b))


def integers(name: str, op: BinaryOp, x: object, y: object, loc: Loc | None) -> tuple[Expr, Expr]:
    """Both operands of an integer division."""
    a, b = numbers(op, x, y, loc)
    if not is_integer(a.type):
        word = "floor" if name == "div_floor" else "trunc"
        raise KernelTypeError(f"{name} is for integers, not {a.type}", loc, hints=[f"write sd.{word}(x / y)"])
    return a, b


def numbers(op: BinaryOp, x: object, y: object, loc: Loc | None) -> tuple[Expr, Expr]:
    """Both operands in one type; a constant zero divisor is refused."""
    a, b = operands(op, x, y, loc)
    if isinstance(b.type, Scalar) and not isinstance(a.type, Scalar):
        b = build.construct(a.type, [b], loc)
    if isinstance(a.type, Scalar) and not isinstance(b.type, Scalar):
        a = build.construct(b.type, [a], loc)
    fold.check_operands(op, a, b, loc)
    build.binary(op, a, b, loc)  # the types agree, or an error says how they differ
    return a, b


def floating_mod(x: Expr, y: Expr, loc: Loc | None) -> Any:
    at = Steps(loc)
    whole = at.call(Builtin.FLOOR, at.binary(BinaryOp.DIV, x, y))
    return operate(BinaryOp.SUB, wrap(x), wrap(at.binary(BinaryOp.MUL, y, whole)))


def remainder_of(at: Steps, x: Expr, y: Expr) -> Expr:
    """x - x / y * y, 0 where y is 0: naga's `%` of i32 is wrong for negative operands on NVIDIA's driver, its `/` is right."""
    rest = at.binary(BinaryOp.SUB, x, at.binary(BinaryOp.MUL, at.binary(BinaryOp.DIV, x, y), y))
    if fold.constant(y) is not None:
        return rest
    zero = at.number(0, x.type)
    return at.call(Builtin.SELECT, rest, zero, at.binary(BinaryOp.EQ, y, zero))


def rounds_up(at: Steps, x: Expr, y: Expr) -> tuple[Expr, Expr]:
    """The remainder of truncation, and whether truncating has rounded up: there is a remainder whose sign is not y's."""
    remainder = remainder_of(at, x, y)
    zero = at.number(0, x.type)
    inexact = at.binary(BinaryOp.NE, remainder, zero)
    opposite = at.binary(BinaryOp.LT, at.binary(BinaryOp.XOR, remainder, y), zero)
    both = BinaryOp.LOGICAL_AND if isinstance(x.type, Scalar) else BinaryOp.AND
    return remainder, at.binary(both, inexact, opposite)


def div_floor_steps(at: Steps, x: Expr, y: Expr) -> Expr:
    quotient = at.binary(BinaryOp.DIV, x, y)
    _, up = rounds_up(at, x, y)
    return at.binary(BinaryOp.SUB, quotient, at.convert(up, with_scalar(x.type, I32)))


def mod_floor_steps(at: Steps, x: Expr, y: Expr) -> Expr:
    remainder, up = rounds_up(at, x, y)
    return at.call(Builtin.SELECT, remainder, at.binary(BinaryOp.ADD, remainder, y), up)


MOD_TRUNC = Form("mod_trunc", ("x", "y"), remainder_of)
DIV_FLOOR = Form("div_floor", ("x", "y"), div_floor_steps)
MOD_FLOOR = Form("mod_floor", ("x", "y"), mod_floor_steps)
