"""Conditions as numbers: `where(c, a, 0)` as I * a with I of 1 or 0, so that what is guarded adds, cancels and factors like anything else.

indicated(Where(c, a, 0))            Indicator(c) * a
absorbed(I * (I * a - b), ...)       I * (a - b)               since I * I = I
regrouped(I * a + I * J * b)         Where(c, a + Where(d, b, 0), 0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from shaderdsl.spec.real import (
    Both,
    Equal,
    Flat,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Negation,
    Term,
    Unequal,
    Where,
    sympy,
)
from shaderdsl.spec.slopes import Relu

Implied: TypeAlias = Callable[[Term], frozenset[Term]]
"""The indicators that are 1 wherever a factor is not 0."""


class Indicator(Flat):
    """1 where a condition holds, 0 elsewhere."""

    def _eval_power(self, exponent: Term) -> Term | None:
        return self if exponent.is_positive else None


def indicated(term: Term) -> Term:
    """A term with an indicator for each `where` that is 0 on one side, under sums and products."""
    if isinstance(term, Where):
        condition, a, b = term.args
        if b == 0:
            return Indicator(condition) * indicated(a)
        return Indicator(opposite(condition)) * indicated(b) if a == 0 else term
    whole_power = term.is_Pow and term.exp.is_Integer and term.exp > 0
    return term.func(*map(indicated, term.args)) if term.is_Add or term.is_Mul or whole_power else term


OPPOSITES = {Equal: Unequal, Unequal: Equal}
ORDERED = {Less: GreaterEqual, LessEqual: Greater, Greater: LessEqual, GreaterEqual: Less}
"""Of whole numbers alone: no order holds for a NaN."""


def opposite(condition: Term) -> Term:
    """What holds where a condition does not."""
    if isinstance(condition, Negation):
        return condition.args[0]
    found = OPPOSITES.get(condition.func) or (ORDERED.get(condition.func) if in_range(condition) else None)
    return Negation(condition) if found is None else found(*condition.args)


def in_range(condition: Term) -> bool:
    """Whether a condition is of indices and sizes alone."""
    return all(s.is_integer for s in condition.free_symbols)


def split(term: Term) -> Term:
    """Every `where` and every condition in indicators alone: where(c and d, a, b) is C D a + (1 - C D) b."""

    def number_of(condition: Term) -> Term:
        if isinstance(condition, Both):
            return sympy.Mul(*map(number_of, condition.args))
        return Indicator(condition)

    if isinstance(term, Where):
        condition, a, b = term.args
        if a == 0:
            return number_of(opposite(condition)) * split(b)
        holds = number_of(condition)
        return holds * split(a) + (1 - holds) * split(b)
    if isinstance(term, Indicator):
        return number_of(term.args[0])
    return term.func(*map(split, term.args)) if term.is_Add or term.is_Mul or term.is_Pow else term


def absorbed(term: Term, implied: Implied) -> Term:
    """A term without the indicators that another factor of theirs implies."""
    if not term.has(Indicator) or not (term.is_Add or term.is_Mul or term.is_Pow):
        return term
    if not term.is_Mul:
        return term.func(*[absorbed(a, implied) for a in term.args])
    factors = list(term.args)
    for place, factor in enumerate(factors):
        ones = dict.fromkeys(implying(factor, implied), sympy.S.One)
        others = [f.xreplace(ones) for f in (*factors[:place], *factors[place + 1 :])]
        if others != [*factors[:place], *factors[place + 1 :]]:
            return absorbed(sympy.Mul(factor, *others), implied)
    return sympy.Mul(*[absorbed(f, implied) for f in factors])


def implying(factor: Term, implied: Implied) -> frozenset[Term]:
    """The indicators that are 1 wherever a factor is not 0."""
    base, times = factor.as_base_exp()
    if not times.is_positive:
        return frozenset()
    if isinstance(base, Indicator):
        return frozenset({base})
    return frozenset({Indicator(Greater(*base.compared, 0))}) if isinstance(base, Relu) else implied(base)


def regrouped(term: Term, short: Callable[[Term], Term]) -> Term:
    """A term with `where` for its indicators, each guarding all of the sum that it stands before, made short."""
    if not term.has(Indicator):
        return term
    parts = [tuple(sympy.Mul.make_args(p)) for p in sympy.Add.make_args(term)]
    counts = Counter(f for part in parts for f in part if isinstance(f, Indicator))
    if not counts:
        return (
            term.func(*[regrouped(a, short) for a in term.args]) if term.is_Add or term.is_Mul or term.is_Pow else term
        )
    chosen = max(counts, key=lambda f: (counts[f], in_range(f), str(f)))
    inside = sympy.Add(*[sympy.Mul(*[f for f in part if f != chosen]) for part in parts if chosen in part])
    rest = sympy.Add(*[sympy.Mul(*part) for part in parts if chosen not in part])
    return guarded(chosen.args[0], short(inside)) + regrouped(rest, short)


def guarded(condition: Term, inside: Term) -> Term:
    """`where` of a condition, joined with the one that is all of its inside."""
    if isinstance(condition, Negation):
        return Where(condition.args[0], 0, inside)
    number, rest = inside.as_coeff_Mul()
    if isinstance(rest, Where) and rest.args[2] == 0:
        for inner in every(rest.args[0]):
            condition = Both(condition, inner)
        return number * Where(condition, rest.args[1], 0)
    return Where(condition, inside, 0)


def every(condition: Term) -> list[Term]:
    """The conditions that all hold where one does."""
    return [c for part in condition.args for c in every(part)] if isinstance(condition, Both) else [condition]
