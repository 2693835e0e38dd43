"""Index arithmetic with known extents: the least and greatest value of an index, and its simplest form.

    span(parse("8 * a + b"), {"a": 4, "b": 8})              # (0, 31)
    simplified(parse("(8 * a + b) // 8"), {"a": 4, "b": 8})     # a

An index is a sum of atoms times whole numbers; an atom is an index, or a quotient or remainder that nothing simplifies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce

from shaderdsl.spec.notation import Function, Index, Number, Operation, Operator, Scalar

Span = tuple[int, int]
Extents = Mapping[str, int]
SMALLEST, LARGEST = -(2**31), 2**31 - 1
"""Whole numbers of formulas are i32: a span beyond says nothing, since the value wraps."""


@dataclass(frozen=True, slots=True)
class Sum:
    """`constant` + the sum of atoms times their factors."""

    constant: int = 0
    terms: Mapping[Scalar, int] = field(default_factory=dict[Scalar, int])


def span(scalar: Scalar, extents: Extents) -> Span | None:
    """The least and the greatest value, or None where it is not known."""
    form = sum_of(scalar, extents)
    return None if form is None else checked(span_of_sum(form, extents))


def checked(found: Span | None) -> Span | None:
    return found if found is not None and found[0] >= SMALLEST and found[1] <= LARGEST else None


def span_of_sum(form: Sum, extents: Extents) -> Span | None:
    low = high = form.constant
    for atom, factor in form.terms.items():
        own = span_of_atom(atom, extents)
        if own is None:
            return None
        ends = (factor * own[0], factor * own[1])
        low, high = low + min(ends), high + max(ends)
    return low, high


def span_of_atom(atom: Scalar, extents: Extents) -> Span | None:
    match atom:
        case Index(name):
            return (0, max(extents[name] - 1, 0)) if name in extents else None
        case Operation(Operator.FLOOR_DIV, (inner, Number(value))) if isinstance(value, int) and value > 0:
            own = span(inner, extents)
            return None if own is None else (own[0] // value, own[1] // value)
        case Operation(Operator.MOD, (_, Number(value))) if isinstance(value, int) and value > 0:
            return 0, value - 1
        case Function("min" | "max" as name, (left, right)):
            first, second = span(left, extents), span(right, extents)
            if first is None or second is None:
                return None
            chosen = min if name == "min" else max
            return chosen(first[0], second[0]), chosen(first[1], second[1])
        case _:
            return None


def sum_of(scalar: Scalar, extents: Extents) -> Sum | None:
    """An index expression as a sum, or None where it is none: a gather, a float."""
    match scalar:
        case Number(int() as value):
            return Sum(value)
        case Index():
            return Sum(0, {scalar: 1})
        case Operation(Operator.NEG, (inner,)):
            return scaled(sum_of(inner, extents), -1)
        case Operation(Operator.ADD, (left, right)):
            return added(sum_of(left, extents), sum_of(right, extents))
        case Operation(Operator.SUB, (left, right)):
            return added(sum_of(left, extents), scaled(sum_of(right, extents), -1))
        case Operation(Operator.MUL, (left, right)):
            return product(sum_of(left, extents), sum_of(right, extents))
        case Operation(Operator.FLOOR_DIV | Operator.MOD as operator, (inner, Number(int() as value))) if value > 0:
            return divided(operator, sum_of(inner, extents), value, extents)
        case Function("min" | "max" as name, (left, right)):
            return extreme(name, sum_of(left, extents), sum_of(right, extents), extents)
        case _:
            return None


def scaled(form: Sum | None, factor: int) -> Sum | None:
    if form is None:
        return None
    return Sum(form.constant * factor, {a: f * factor for a, f in form.terms.items() if f * factor})


def added(left: Sum | None, right: Sum | None) -> Sum | None:
    if left is None or right is None:
        return None
    terms = dict(left.terms)
    for atom, factor in right.terms.items():
        terms[atom] = terms.get(atom, 0) + factor
    return Sum(left.constant + right.constant, {a: f for a, f in terms.items() if f})


def product(left: Sum | None, right: Sum | None) -> Sum | None:
    if left is None or right is None:
        return None
    if not right.terms:
        return scaled(left, right.constant)
    return scaled(right, left.constant) if not left.terms else None


def divided(operator: Operator, form: Sum | None, value: int, extents: Extents) -> Sum | None:
    """A quotient or remainder: multiples of the divisor come apart, and what is left may lie below it."""
    if form is None:
        return None
    whole = Sum(form.constant // value, {a: f // value for a, f in form.terms.items() if f % value == 0})
    rest = Sum(form.constant % value, {a: f for a, f in form.terms.items() if f % value})
    within = checked(span_of_sum(rest, extents))
    if within is None or checked(span_of_sum(form, extents)) is None:
        return Sum(0, {Operation(operator, (scalar_of(form), Number(value))): 1})
    quotient = within[0] // value
    if quotient == within[1] // value:
        if operator is Operator.FLOOR_DIV:
            return added(whole, Sum(quotient))
        return added(rest, Sum(-quotient * value))
    atom = Sum(0, {Operation(operator, (scalar_of(rest), Number(value))): 1})
    return added(whole, atom) if operator is Operator.FLOOR_DIV else atom


def extreme(name: str, left: Sum | None, right: Sum | None, extents: Extents) -> Sum | None:
    """The one of two that is never beyond the other, or both."""
    if left is None or right is None:
        return None
    difference = added(left, scaled(right, -1))
    apart = checked(span_of_sum(difference, extents)) if difference is not None else None
    if apart is not None and apart[1] <= 0:
        return left if name == "min" else right
    if apart is not None and apart[0] >= 0:
        return right if name == "min" else left
    return Sum(0, {Function(name, (scalar_of(left), scalar_of(right))): 1})


def scalar_of(form: Sum) -> Scalar:
    """A sum as an expression: positive terms first, the constant last."""
    parts = [(atom, factor) for atom, factor in form.terms.items() if factor > 0]
    minus = [(atom, -factor) for atom, factor in form.terms.items() if factor < 0]
    if not parts and form.constant > 0 and minus:
        first: Scalar = Number(form.constant)
        return reduce(lambda s, p: Operation(Operator.SUB, (s, times(*p))), minus, first)
    if not parts:
        parts, minus = [(a, -f) for a, f in minus[:1]], minus[1:]
    if not parts:
        return Number(form.constant)
    found = reduce(lambda s, p: Operation(Operator.ADD, (s, times(*p))), parts[1:], times(*parts[0]))
    found = reduce(lambda s, p: Operation(Operator.SUB, (s, times(*p))), minus, found)
    if form.constant:
        operator = Operator.ADD if form.constant > 0 else Operator.SUB
        found = Operation(operator, (found, Number(abs(form.constant))))
    return found


def times(atom: Scalar, factor: int) -> Scalar:
    if factor == -1:
        return Operation(Operator.NEG, (atom,))
    return atom if factor == 1 else Operation(Operator.MUL, (Number(factor), atom))


def simplified(scalar: Scalar, extents: Extents) -> Scalar:
    """An index in its simplest form; what is no sum of indices, or may wrap, stays."""
    form = sum_of(scalar, extents)
    if form is None or checked(span_of_sum(form, extents)) is None:
        return scalar
    return scalar_of(form)
