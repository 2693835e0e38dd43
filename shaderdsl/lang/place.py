"""Places: what a kernel loads from and stores to. Every load is a snapshot, a value for ever.

total = k.var(f32(0));  total += x[i];  total.value
bins[b].add(1)                                           # an atomic element
"""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from shaderdsl.errors import KernelTypeError
from shaderdsl.ir import build, types
from shaderdsl.ir.expr import AddressSpace, Load, Read, Slot, root_of
from shaderdsl.ir.expr import Place as IRPlace
from shaderdsl.ir.stmt import AtomicCall, AtomicOp, Store
from shaderdsl.ir.types import U32, holds_atomic
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import coerce, expect
from shaderdsl.lang.refusals import OPERATORS, refuse
from shaderdsl.lang.results import Exchanged, exchange_type
from shaderdsl.lang.trace import Scope, Trace, check_live, current
from shaderdsl.lang.value import record, wrap
from shaderdsl.source import Loc

T = TypeVar("T")
CONVERSIONS_OF_PLACES = ("bool", "call", "iter", "len", "int", "float", "index", "contains")


class Place(Generic[T]):
    """Something with an address: `.value` loads or stores it, members and elements are places again."""

    __slots__ = ("_place", "_scope", "_writable")
    _place: IRPlace
    _scope: Scope | None
    _writable: bool

    def __init__(self, place: IRPlace, scope: Scope | None, writable: bool = True) -> None:
        object.__setattr__(self, "_place", place)
        object.__setattr__(self, "_scope", scope)
        object.__setattr__(self, "_writable", writable)

    @property
    def value(self) -> T:
        """A snapshot of what the place holds at this point."""
        return load(self._place, self._scope, here())

    @value.setter
    def value(self, new: object) -> None:
        store(self, self._place, new, here())

    def at(self, index: object) -> Any:
        """The place of an element: of an array, a vector's component, a matrix' column."""
        loc = here()
        inner = build.element_of(self._place, coerce(index, U32, loc), loc)
        return place_at(inner, self)

    def __getitem__(self, index: object) -> Any:
        place = self.at(index)
        return loaded(place)

    def __setitem__(self, index: object, new: object) -> None:
        place = self.at(index)
        store(place, place._place, new, here())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return place_at(build.member_of(self._place, name, here()), self)

    def __setattr__(self, name: str, new: object) -> None:
        if name == "value":
            store(self, self._place, new, here())
            return
        loc = here()
        place = build.member_of(self._place, name, loc)
        if not isinstance(new, Place):  # `v.x += 1` comes back as the place itself, already stored
            store(self, place, new, loc)

    @property
    def _now(self) -> Any:
        """The value, for whatever operators its type has."""
        return self.value

    def _set(self, new: object) -> Self:
        store(self, self._place, new, here())
        return self

    def __iadd__(self, other: T | int | float) -> Self:
        return self._set(self._now + other)

    def __isub__(self, other: T | int | float) -> Self:
        return self._set(self._now - other)

    def __imul__(self, other: T | int | float) -> Self:
        return self._set(self._now * other)

    def __itruediv__(self, other: T | int | float) -> Self:
        return self._set(self._now / other)

    def __iand__(self, other: T | int | float) -> Self:
        return self._set(self._now & other)

    def __ior__(self, other: T | int | float) -> Self:
        return self._set(self._now | other)

    def __ixor__(self, other: T | int | float) -> Self:
        return self._set(self._now ^ other)

    def __ilshift__(self, other: T | int | float) -> Self:
        return self._set(self._now << other)

    def __irshift__(self, other: T | int | float) -> Self:
        return self._set(self._now >> other)


def not_a_value(place: Place[Any], symbol: str, *others: object) -> KernelTypeError:
    """What to say of an operator on a place: it has an address, its value must be read."""
    del symbol, others
    if isinstance(place, Atomic):
        return KernelTypeError("an atomic is not a value", here(), hints=["read it with .load()", "count with .add(1)"])
    return KernelTypeError("a variable is not a value", here(), hints=["read it with .value"])


refuse(Place, [*OPERATORS, *CONVERSIONS_OF_PLACES, "array", "array_ufunc", "delitem"], not_a_value)


def place_at(inner: IRPlace, owner: Place[Any]) -> Place[Any]:
    """A part of a place, which lives as long and may be written if the whole may."""
    return placed(inner, owner._scope, owner._writable)


def placed(inner: IRPlace, scope: Scope | None, writable: bool) -> Place[Any]:
    """A place for users; an atomic one has the operations."""
    if isinstance(inner.type, types.Atomic):
        atomic: Atomic[Any] = Atomic(inner, scope, writable)
        return atomic
    made: Place[Any] = Place(inner, scope, writable)
    return made


def load(place: IRPlace, scope: Scope | None, loc: Loc | None) -> Any:
    """A snapshot of a place."""
    check_live(scope, current(loc), None, loc)
    if isinstance(place.type, types.Atomic):
        raise KernelTypeError(
            "an atomic is not a plain value", loc, hints=["read it with .load(), change it with .add(1) and its kin"]
        )
    if holds_atomic(place.type):
        raise KernelTypeError(
            f"{place.type} holds an atomic and is no value", loc, hints=["read its members: x.at(i).mass.value"]
        )
    return record(Load(place, place.type, loc), loc)


def store(owner: Place[Any], place: IRPlace, new: object, loc: Loc | None) -> None:
    """Store a value of exactly the place's type; Python numbers adapt."""
    trace = current(loc)
    check_live(owner._scope, trace, None, loc)
    if not owner._writable:
        root = root_of(place)
        hints = [f"declare {root.name} as sd.Out[...] or sd.InOut[...]"] if root.space is AddressSpace.STORAGE else []
        raise KernelTypeError(f"{root.name} is read-only", loc, hints=hints)
    if isinstance(place.type, types.Atomic):
        raise KernelTypeError(
            "an atomic is not a plain value", loc, hints=["write it with .store(value), or .add(1) and its kin"]
        )
    expr = expect(new, place.type, loc, "the stored value")
    trace.emit(Store(place, expr, loc))
    note_write(trace, place)


def note_write(trace: Trace, place: IRPlace) -> None:
    """Remember which storage is written: it decides `read` or `read_write`."""
    root = root_of(place)
    if root.space is AddressSpace.STORAGE:
        trace.written.add(root)
    if root.space is not AddressSpace.FUNCTION:
        trace.pure = False


class Var(Place[T]):
    """A variable of the invocation (`k.var`): `.value` reads and writes it, `+=` and its kin update it."""

    __slots__ = ()


class Atomic(Place[T]):
    """An atomic i32 or u32: `x[i].add(1)` gives the value before. Relaxed ordering, as in WGSL."""

    __slots__ = ()

    def load(self) -> T:
        """The value now."""
        return self._call(AtomicOp.LOAD)

    def store(self, value: T | int) -> None:
        """Write `value`; gives nothing."""
        self._call(AtomicOp.STORE, value)

    def add(self, value: T | int) -> T:
        """Add, wrapping; the value before."""
        return self._call(AtomicOp.ADD, value)

    def sub(self, value: T | int) -> T:
        """Subtract, wrapping; the value before."""
        return self._call(AtomicOp.SUB, value)

    def max(self, value: T | int) -> T:
        """Keep the larger; the value before."""
        return self._call(AtomicOp.MAX, value)

    def min(self, value: T | int) -> T:
        """Keep the smaller; the value before."""
        return self._call(AtomicOp.MIN, value)

    def and_(self, value: T | int) -> T:
        """And the bits; the value before."""
        return self._call(AtomicOp.AND, value)

    def or_(self, value: T | int) -> T:
        """Or the bits; the value before."""
        return self._call(AtomicOp.OR, value)

    def xor(self, value: T | int) -> T:
        """Exclusive-or the bits; the value before."""
        return self._call(AtomicOp.XOR, value)

    def exchange(self, value: T | int) -> T:
        """Write `value`; the value before."""
        return self._call(AtomicOp.EXCHANGE, value)

    def compare_exchange_weak(self, comparator: T | int, value: T | int) -> Exchanged[T]:
        """Store `value` where the atomic equals `comparator`; a device may fail to, so retry in a loop."""
        return self._call(AtomicOp.COMPARE_EXCHANGE_WEAK, comparator, value)

    def _call(self, op: AtomicOp, *operands: object) -> Any:
        loc = here()
        trace = current(loc)
        check_live(self._scope, trace, None, loc)
        if not self._writable:
            name = root_of(self._place).name
            raise KernelTypeError(f"{name} is read-only", loc, hints=[f"atomics need {name} as sd.InOut or sd.Out"])
        scalar = build.atomic_scalar(self._place.type)
        exprs = tuple(expect(o, scalar, loc, "the operand") for o in operands)
        note_write(trace, self._place)
        if op is AtomicOp.STORE:
            trace.emit(AtomicCall(None, op, self._place, exprs, loc))
            return None
        slot = Slot(trace.name_at(loc), exchange_type(scalar) if op is AtomicOp.COMPARE_EXCHANGE_WEAK else scalar)
        trace.emit(AtomicCall(slot, op, self._place, exprs, loc))
        return wrap(Read(slot, slot.type, loc))


def loaded(place: Place[Any]) -> Any:
    """An element by `x[i]`: a snapshot, or for an atomic the place that has the operations."""
    if isinstance(place._place.type, types.Atomic):
        return place_at(place._place, place)
    return load(place._place, place._scope, here())
