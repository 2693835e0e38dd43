"""The error of a function of formulas, from the operations that it is composed of: its form in the IR, walked with `near` numbers.

call_form("silu", [near])        # what x moves, and what the form's own steps add: roundings and where its series ends
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Binary as BinaryExpr
from shaderdsl.ir.expr import Bitcast, Call, Const, Convert, Expr, Read, ReadParam, Slot
from shaderdsl.ir.expr import Unary as UnaryExpr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.stmt import CallFunction, Function, Let, Return, Stmt
from shaderdsl.ir.types import F32, I32, Type
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.trace import Trace, tracing
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.convert import bitcast, convert
from shaderdsl.numeric.operators import binary as operate
from shaderdsl.schedule.functions import emit_function
from shaderdsl.spec.functions import FUNCTIONS
from shaderdsl.testing.near import Near, called, chosen, compared, converted, exactly, extreme, finite, literal, moved

COMPARISONS = {
    BinaryOp.EQ: np.equal,
    BinaryOp.NE: np.not_equal,
    BinaryOp.LT: np.less,
    BinaryOp.LE: np.less_equal,
    BinaryOp.GT: np.greater,
    BinaryOp.GE: np.greater_equal,
}
Values = dict[Slot, Near]


@cache
def form_of(name: str) -> Function:
    """A function of formulas as a function of the IR."""
    row = FUNCTIONS[name]
    slots = tuple(Slot(f"x{n}", F32) for n in range(row.arity))
    trace = Trace(name, None, None)
    with tracing(trace) as scope:
        result = emit_function(Steps(None), row, [Read(s, F32, None) for s in slots])
        trace.emit(Return(result, None))
        body = trace.pop(scope)
    return Function(name, slots, F32, body, pure=True, loc=None)


def call_form(name: str, arguments: Sequence[Near]) -> Near:
    """A function at its arguments: they are taken as exact for its own steps, and their errors move the function itself."""
    meaning = FUNCTIONS[name].meaning
    value = np.asarray(meaning(*(a.value for a in arguments)))
    singles = [np.asarray(a.value, np.float64).astype(np.float32).astype(np.float64) for a in arguments]
    steps = run(form_of(name), [exactly(s) for s in np.broadcast_arrays(*singles)])
    exact = np.asarray(meaning(*singles))
    own = np.abs(steps.value - exact) + steps.error
    same = (steps.value == exact) & (steps.error == 0)
    own = np.where(same, 0.0, np.where(np.isnan(own), np.inf, own))
    return finite(Near(value, moved(meaning, arguments), own))


def run(function: Function, arguments: Sequence[Near]) -> Near:
    """The result of a function without branches."""
    known: Values = dict(zip(function.parameters, arguments))
    for statement in function.body:
        found = step(statement, known)
        if found is not None:
            return found
    raise InternalError(f"{function.name} returns nothing")


def step(statement: Stmt, known: Values) -> Near | None:
    """One statement: a value that others read, or the result."""
    match statement:
        case Let(slot, value):
            known[slot] = near_of(value, known)
        case CallFunction(Slot() as slot, function, arguments):
            known[slot] = run(function, [near_of(a, known) for a in arguments])
        case Return(value, _) if value is not None:
            return near_of(value, known)
        case _:
            raise InternalError(f"{type(statement).__name__} in a function of formulas")
    return None


def near_of(expr: Expr, known: Mapping[Slot, Near]) -> Near:
    match expr:
        case Const(value, kind):
            return literal(value) if kind == F32 else exactly(value)
        case Read(slot):
            return known[slot]
        case ReadParam():
            return exactly(np.uint32(0))
        case UnaryExpr(op, operand):
            return -near_of(operand, known) if op is UnaryOp.NEGATE else unlike(near_of(operand, known))
        case BinaryExpr(op, left, right):
            return combined(op, near_of(left, known), near_of(right, known), left, right)
        case Call(builtin, arguments):
            return builtin_of(builtin, [near_of(a, known) for a in arguments], expr)
        case Convert(operand, kind):
            found = near_of(operand, known)
            return converted(found) if kind == F32 else as_whole(found, operand, kind)
        case Bitcast(operand, kind):
            return in_bits(near_of(operand, known), operand, kind)
        case _:
            raise InternalError(f"{expr} in a function of formulas")


def unlike(condition: Near) -> Near:
    return Near(np.logical_not(condition.value), condition.spread, condition.fresh)


def combined(op: BinaryOp, x: Near, y: Near, left: Expr, right: Expr) -> Near:
    """A binary operation, on floats with their errors, on all else exactly."""
    if op in COMPARISONS:
        return compared(COMPARISONS[op], x, y)
    if op in (BinaryOp.LOGICAL_AND, BinaryOp.LOGICAL_OR):
        function = np.logical_and if op is BinaryOp.LOGICAL_AND else np.logical_or
        return Near(np.asarray(function(x.value, y.value)), np.maximum(x.error, y.error), x.fresh * 0)
    if left.type != F32:
        return exactly(operate(op, np.asarray(x.value), np.asarray(y.value), left.type, right.type))
    match op:
        case BinaryOp.ADD:
            return x + y
        case BinaryOp.SUB:
            return x - y
        case BinaryOp.MUL:
            return x * y
        case BinaryOp.DIV:
            return x / y
        case _:
            raise InternalError(f"{op.value} in a function of formulas")


def builtin_of(builtin: Builtin, arguments: Sequence[Near], expr: Call) -> Near:
    """A builtin; those that choose or cut have no rounding."""
    match builtin:
        case Builtin.SELECT:
            return chosen(arguments[2], arguments[1], arguments[0])
        case Builtin.MAX | Builtin.MIN if expr.type == F32:
            return extreme(np.maximum if builtin is Builtin.MAX else np.minimum, *arguments)
        case Builtin.ROUND | Builtin.FLOOR:
            # A form is right for either neighbour of what it rounds, which it then takes off.
            return exactly(np.asarray((np.rint if builtin is Builtin.ROUND else np.floor)(arguments[0].value)))
        case _:
            if expr.type == F32:
                return called(builtin, arguments)
            types = [a.type for a in expr.arguments]
            return exactly(np.asarray(call(builtin, [a.value for a in arguments], types, expr.type)))


def as_whole(x: Near, operand: Expr, kind: Type) -> Near:
    value = x.value.astype(np.float32) if operand.type == F32 else x.value
    return exactly(np.asarray(convert(value, operand.type, kind)))


def in_bits(x: Near, operand: Expr, kind: Type) -> Near:
    value = np.asarray(x.value, np.float32 if operand.type == F32 else np.int32 if operand.type == I32 else np.uint32)
    found = np.asarray(bitcast(value, operand.type, kind))
    return exactly(found.astype(np.float64) if kind == F32 else found)
