"""Composed functions that become one function of the module for each type: `fn safe_tanh(x: f32) -> f32`.

    SIGMOID = Form("sigmoid", ("x",), sigmoid_steps)
    apply(SIGMOID, [x], loc)

A Form knows nothing of the user's source, so its text is the same wherever it is called first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from shaderdsl.ir.expr import Expr, Read, Slot
from shaderdsl.ir.stmt import CallFunction, Function, Return
from shaderdsl.ir.types import F32, I32, Type
from shaderdsl.lang import fold
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.trace import Trace, current, tracing
from shaderdsl.source import Loc


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A function by its steps: `steps(at, *arguments)` gives the result. It is pure."""

    name: str
    parameters: tuple[str, ...]
    steps: Callable[..., Expr]


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A form for argument types: one function of a module, which the trace knows by this object's identity."""

    form: Form
    types: tuple[Type, ...]

    @property
    def name(self) -> str:
        """The form's name; types other than the common f32 and i32 are appended."""
        first = self.types[0]
        return self.form.name if first in (F32, I32) else f"{self.form.name}_{identifier(first)}"


@cache
def instance(form: Form, types: tuple[Type, ...]) -> Instance:
    """The one instance of these types, kept for ever: its identity is its name in a trace."""
    return Instance(form, types)


def identifier(type: Type) -> str:
    return str(type).replace("<", "_").replace(">", "")


def apply(form: Form, arguments: Sequence[Expr], loc: Loc | None) -> Expr:
    """A call of the form's function; constants are folded through its steps."""
    if fold.known(*map(fold.constant, arguments)):
        return form.steps(Steps(loc), *arguments)
    trace = current(loc)
    function = function_of(instance(form, tuple(a.type for a in arguments)), trace)
    slot = Slot(None if loc is None else trace.name_at(loc), arguments[0].type)
    trace.emit(CallFunction(slot, function, tuple(arguments), loc))
    return Read(slot, slot.type, loc)


def function_of(wanted: Instance, trace: Trace) -> Function:
    """The instance's function in the module being traced, made on first use."""
    known = trace.functions.get(wanted)
    if known is None:
        known = trace.functions[wanted] = made(wanted, trace)
    return known


def made(wanted: Instance, outer: Trace) -> Function:
    trace = Trace(wanted.name, None, None, functions=outer.functions, unfinished=outer.unfinished)
    slots = tuple(Slot(name, given) for name, given in zip(wanted.form.parameters, wanted.types))
    with tracing(trace) as scope:
        result = wanted.form.steps(Steps(None), *(Read(s, s.type, None) for s in slots))
        trace.emit(Return(result, None))
        body = trace.pop(scope)
    return Function(wanted.name, slots, result.type, body, pure=True, loc=None)
