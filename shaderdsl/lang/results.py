"""What frexp, modf and a compare-exchange give: values of WGSL's predeclared structures, with typed members.

sd.frexp(x).exp      sd.modf(x).whole      counts[i].compare_exchange_weak(0, 1).exchanged
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from shaderdsl.errors import InternalError
from shaderdsl.ir import build, types
from shaderdsl.ir.builtins import Builtin, result_type
from shaderdsl.ir.types import BOOL, F16, FLOATS, INTEGERS, Member, Struct, Vector, with_scalar
from shaderdsl.lang.here import here
from shaderdsl.lang.scalars import bool_
from shaderdsl.lang.value import CLASSES, Value, attach, expr_of, let, record

T = TypeVar("T")
E = TypeVar("E")


class Frexp(Value, Generic[T, E]):
    """A float's parts: x = fract * 2**exp."""

    __slots__ = ()

    @property
    def fract(self) -> T:
        return member(self, "fract")

    @property
    def exp(self) -> E:
        return member(self, "exp")


class HalfFrexp(Frexp[T, E]):
    """The parts of an f16, found as those of its f32, which are the same: naga has no frexp of f16."""

    __slots__ = ()

    @property
    def fract(self) -> T:
        loc = here()
        single = let(build.member(expr_of(self, loc), "fract", loc), loc)
        return record(build.convert(single, with_scalar(single.type, F16), loc), loc)


def halved(parts: Value) -> Value:
    """frexp of an f16's f32 as frexp of the f16."""
    made: Any = HalfFrexp
    value: Value = object.__new__(made)
    attach(value, parts._expr)
    return value


class Modf(Value, Generic[T]):
    """A float's parts: x = fract + whole."""

    __slots__ = ()

    @property
    def fract(self) -> T:
        return member(self, "fract")

    @property
    def whole(self) -> T:
        return member(self, "whole")


class Exchanged(Value, Generic[T]):
    """The result of a compare-exchange: the old value, and whether the new one was stored."""

    __slots__ = ()

    @property
    def old_value(self) -> T:
        return member(self, "old_value")

    @property
    def exchanged(self) -> bool_:
        return member(self, "exchanged")


def member(value: Value, name: str) -> Any:
    """A member of a structure value."""
    loc = here()
    return record(build.member(expr_of(value, loc), name, loc), loc)


def exchange_type(scalar: types.Scalar) -> Struct:
    """The predeclared result of atomicCompareExchangeWeak."""
    members = (Member("old_value", scalar), Member("exchanged", BOOL))
    return Struct(f"__atomic_compare_exchange_result_{scalar}", members, builtin=True)


def register_results() -> None:
    """Give every predeclared structure its class of values."""
    floats = [*FLOATS, *(Vector(n, s) for n in (2, 3, 4) for s in FLOATS)]
    for bound in floats:
        enlist(result_type(Builtin.FREXP, [bound]), Frexp)
        enlist(result_type(Builtin.MODF, [bound]), Modf)
    for scalar in INTEGERS:
        enlist(exchange_type(scalar), Exchanged)


def enlist(struct: types.Type | None, base: type[Value]) -> None:
    if struct is None:
        raise InternalError(f"{base.__name__} has no structure")
    CLASSES[struct] = type(base.__name__, (base,), {"__slots__": (), "type": struct})


register_results()
