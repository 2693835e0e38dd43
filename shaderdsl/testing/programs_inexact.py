"""The one inexact operation of a program: the last of a stored value, its operands stored beside it, so that its bound can be checked."""

from __future__ import annotations

from dataclasses import dataclass

from shaderdsl.ir.accuracy import Operation
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F32
from shaderdsl.testing.programs_state import State
from shaderdsl.testing.programs_terms import fitted
from shaderdsl.testing.programs_wholes import value

RESULT, OPERANDS = "inexact", "operands"
"""The output with the results, and the one with both operands of each."""


@dataclass(frozen=True, slots=True)
class Inexact:
    """An operation with its text over `a` and `b`, and how each operand is brought into the domain where it has a bound."""

    operation: Operation
    text: str
    a: str = "{}"
    b: str = "{}"
    arity: int = 1


POSITIVE = "(sd.abs({}) + 0.5)"
UNIT = "sd.clamp({}, -0.75, 0.75)"
CHOICES = (
    Inexact(BinaryOp.DIV, "{a} / {b}", b=POSITIVE, arity=2),
    Inexact(Builtin.SQRT, "sd.sqrt({a})", POSITIVE),
    Inexact(Builtin.INVERSE_SQRT, "sd.inverse_sqrt({a})", POSITIVE),
    Inexact(Builtin.EXP, "sd.exp({a})"),
    Inexact(Builtin.EXP2, "sd.exp2({a})"),
    Inexact(Builtin.LOG, "sd.log({a})", POSITIVE),
    Inexact(Builtin.LOG2, "sd.log2({a})", POSITIVE),
    Inexact(Builtin.POW, "sd.pow({a}, {b})", POSITIVE, arity=2),
    Inexact(Builtin.SIN, "sd.sin({a})", "sd.clamp({}, -3.0, 3.0)"),
    Inexact(Builtin.COS, "sd.cos({a})", "sd.clamp({}, -3.0, 3.0)"),
    Inexact(Builtin.ATAN, "sd.atan({a})"),
    Inexact(Builtin.ATAN2, "sd.atan2({a}, {b})", b=POSITIVE, arity=2),
    Inexact(Builtin.ASIN, "sd.asin({a})", UNIT),
    Inexact(Builtin.ACOS, "sd.acos({a})", UNIT),
    Inexact(Builtin.SINH, "sd.sinh({a})"),
    Inexact(Builtin.COSH, "sd.cosh({a})"),
    Inexact(Builtin.DEGREES, "sd.degrees({a})"),
    Inexact(Builtin.RADIANS, "sd.radians({a})"),
)


def apply(state: State, chosen: Inexact, own: str) -> None:
    """Store the operands, and the result of the operation on them."""
    a, b = (fitted(value(state, F32), (8.0, 4)).text for _ in range(2))
    left, right = state.name(), state.name()
    state.add(f"{left} = {chosen.a.format(a)}")
    state.add(f"{right} = {chosen.b.format(b)}")
    state.add(f"{OPERANDS}[{own}] = sd.vec2f({left}, {right})")
    state.add(f"{RESULT}[{own}] = {chosen.text.format(a=left, b=right)}")


def first(state: State, chosen: Inexact, own: str) -> None:
    """Operands that nothing overwrites where the invocation leaves early."""
    state.add(f"{OPERANDS}[{own}] = sd.vec2f(0.5, 0.5)")
    state.add(f"{RESULT}[{own}] = {chosen.text.format(a='f32(0.5)', b='f32(0.5)')}")
