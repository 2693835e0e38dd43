"""`@sd.function`: a typed helper, emitted once a module.

    @sd.function
    def silu(x: f32) -> f32:
        return x / (1.0 + sd.exp(-x))

Parameters and result are values. A first parameter annotated `sd.Kernel` gives variables, branches and loops inside.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

from shaderdsl.errors import KernelTypeError, SignatureError, TraceError
from shaderdsl.ir.expr import Read, Slot
from shaderdsl.ir.stmt import CallFunction, Function, Return
from shaderdsl.ir.types import Type
from shaderdsl.lang.annotations import type_of
from shaderdsl.lang.collectives import together
from shaderdsl.lang.here import here
from shaderdsl.lang.kernel import Kernel
from shaderdsl.lang.operate import expect
from shaderdsl.lang.resolve import annotations_of, check_plain, code_loc, definition_of, refuse_lies
from shaderdsl.lang.trace import Trace, current, tracing
from shaderdsl.lang.value import Value, wrap
from shaderdsl.source import Loc

P = ParamSpec("P")
R = TypeVar("R")

DEEPEST_CALL = 60
"""Functions that call one another; Python's own stack holds about three times as many while tracing."""


class KernelFunction(Generic[P, R]):
    """A function of the language: calling it inside a kernel emits a call."""

    def __init__(self, function: Callable[P, R]) -> None:
        self._function = function
        self._parameters: dict[str, Type] | None = None
        self._result: Type | None = None
        self._takes_kernel = False
        update_wrapper(self, function)

    def __call__(self, *positional: P.args, **named: P.kwargs) -> R:
        loc = here()
        trace = current(loc)
        self._resolve()
        traced = self._traced(trace, loc)
        if self in trace.meeting:
            together(trace, f"{traced.name}, which holds a barrier,", loc)
        arguments = self._arguments(positional, named, loc)
        exprs = tuple(expect(a, s.type, loc, f"argument {s.name}") for a, s in zip(arguments, traced.parameters))
        slot = None if traced.result is None else Slot(trace.name_at(loc), traced.result)
        trace.emit(CallFunction(slot, traced, exprs, loc))
        return cast(R, None if slot is None else wrap(Read(slot, slot.type, loc)))

    def _resolve(self) -> None:
        """Read the annotations, once, when their names are sure to exist."""
        if self._parameters is not None:
            return
        annotations = annotations_of(self._function)
        names = list(inspect.signature(self._function).parameters)
        self._takes_kernel = bool(names) and annotations.get(names[0]) is Kernel
        wanted = names[1:] if self._takes_kernel else names
        self._check_parameters(wanted, annotations)
        returned = annotations.get("return")
        at = definition_of(self._function)
        self._result = None if returned in (None, type(None)) else type_of(returned, at)
        self._parameters = {n: type_of(annotations[n], definition_of(self._function, n)) for n in wanted}

    def _check_parameters(self, wanted: list[str], annotations: dict[str, object]) -> None:
        """Parameters are typed, and as many as their names."""
        for parameter in inspect.signature(self._function).parameters.values():
            name, at = parameter.name, definition_of(self._function, parameter.name)
            if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
                raise SignatureError(
                    f"{self._function.__name__} takes plain parameters only", at, hints=["leave out * and /"]
                )
            if parameter.default is not inspect.Parameter.empty:
                raise SignatureError(
                    f"parameter {name} has a default, which WGSL does not", at, hints=["give it where you call"]
                )
            if name in wanted and name not in annotations:
                raise SignatureError(f"parameter {name} has no type", at, hints=[f"write {name}: f32"])

    def _check_result(self, result: object, *, ended: bool) -> None:
        """A result has a type, and a type has a result."""
        name, at = self._function.__name__, definition_of(self._function)
        if result is not None and self._result is None:
            raise SignatureError(f"the result of {name} has no type", at, hints=["write -> f32"])
        if result is None and self._result is not None and not ended:
            raise TraceError(f"{name} returns nothing, not {self._result}", at, hints=["end with return value"])
        if isinstance(result, Value) and result._expr.type != self._result:
            raise KernelTypeError(
                f"the result of {name} is {self._result}, not {result._expr.type}",
                at,
                hints=[f"write -> {type(result).__name__}, or convert what is returned"],
            )

    def _arguments(self, positional: tuple[object, ...], named: dict[str, Any], loc: Loc) -> list[object]:
        names = list(self._parameters or {})
        given = {**dict(zip(names, positional)), **named}
        if len(positional) > len(names) or set(given) != set(names):
            takes = ", ".join(names) or "nothing"
            raise TraceError(
                f"{self._function.__name__} takes ({takes})",
                loc,
                notes=[f"given: {', '.join([*('a value' for _ in positional), *named]) or 'nothing'}"],
                hints=["leave out k: it comes by itself"] if any(isinstance(p, Kernel) for p in positional) else [],
            )
        return [given[n] for n in names]

    def _traced(self, outer: Trace, loc: Loc) -> Function:
        """The IR of this function in the module being traced."""
        known = outer.functions.get(self)
        if known is not None:
            return known
        if self in outer.unfinished:
            raise TraceError(
                f"{self._function.__name__} calls itself", loc, notes=["WGSL has no recursion"], hints=["use k.loop"]
            )
        if len(outer.unfinished) >= DEEPEST_CALL:
            raise TraceError(
                f"functions call one another deeper than {DEEPEST_CALL}", loc, hints=["do more in each, or use k.loop"]
            )
        outer.unfinished.add(self)
        made = self._trace(outer)
        outer.unfinished.discard(self)
        outer.functions[self] = made
        return made

    def _trace(self, outer: Trace) -> Function:
        where = code_loc(self._function)
        name = self._function.__name__
        trace = Trace(
            name,
            where,
            None,
            shared=outer.shared,
            functions=outer.functions,
            unfinished=outer.unfinished,
            meeting=outer.meeting,
            result=self._result,
        )
        slots = tuple(Slot(n, t) for n, t in (self._parameters or {}).items())
        with tracing(trace) as scope:
            refuse_lies(trace, self._function)
            values: list[Any] = [wrap(Read(s, s.type, where)) for s in slots]
            result: Any = cast(Any, self._function)(*([Kernel()] if self._takes_kernel else []), *values)
            self._check_result(result, ended=scope.ended)
            if self._result is not None and not scope.ended:
                trace.emit(Return(expect(result, self._result, where, f"the result of {name}"), where))
            body = trace.pop(scope)
        if trace.meets:
            outer.meeting.add(self)
        outer.zero = outer.zero or trace.zero
        outer.pure = outer.pure and trace.pure
        return Function(name, slots, self._result, body, trace.pure, where)


@overload
def function(function: Callable[Concatenate[Kernel, P], R]) -> KernelFunction[P, R]: ...
@overload
def function(function: Callable[P, R]) -> KernelFunction[P, R]: ...
def function(function: Callable[..., Any]) -> KernelFunction[..., Any]:
    """Make a typed Python function a function of the language: `def half(x: f32) -> f32`, emitted once a module.

    Parameters and the result are values. A first parameter `k: sd.Kernel`, which a call leaves out, gives variables, branches and loops inside.
    """
    check_plain(function, "function")
    return KernelFunction(function)
