"""Whether a term vanishes, over polynomials: one numerator over powers of factors, with exponentials and roots as unknowns of their own.

    vanishes(exp(-x) * exp(x) - 1)        # exp(x) is one unknown, and exp(-x) one over it
    vanishes(sqrt(q) ** 2 - q)            # a root is an unknown, whose square is known

Sparse polynomials are hundreds of times faster here than expressions that are expanded.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shaderdsl.testing.symbolic import Term, form

Polynomial = Any
Factors = Mapping[Polynomial, int]
HALF = 2


@dataclass
class Unknowns:
    """What the terms are polynomials in: symbols, and other functions by what they are of. roots: the base of each root."""

    names: dict[Term, Term] = field(default_factory=dict[Term, Any])
    roots: dict[Term, Term] = field(default_factory=dict[Term, Any])

    def of(self, term: Term) -> Term:
        return self.names.setdefault(term, form("Dummy")(f"u{len(self.names)}"))


def vanishes(term: Term) -> bool:
    """Whether algebra shows that a term is 0."""
    unknowns = Unknowns()
    plain = in_unknowns(form("sympify")(term), unknowns)
    squares = {name: in_unknowns(base, unknowns) for name, base in list(unknowns.roots.items())}
    symbols = sorted(set().union(*(t.free_symbols for t in (plain, *squares.values()))), key=str)
    if not symbols:
        return plain == 0
    ring = form("ring")(symbols, form("QQ"))[0]
    top = fraction(plain, ring)[0]
    for name, base in squares.items():
        if name in symbols:
            top = without_squares(top, ring, symbols.index(name), fraction(base, ring))
    return top == 0


def in_unknowns(term: Term, unknowns: Unknowns) -> Term:
    """The term as a rational function."""
    if term.is_Symbol or term.is_Rational:
        return term
    if term.is_Add or term.is_Mul:
        return term.func(*(in_unknowns(a, unknowns) for a in term.args))
    if isinstance(term, form("exp")):
        return form("Mul")(*(exponential(p, unknowns) for p in form("Add").make_args(form("expand")(term.args[0]))))
    if term.is_Pow and term.exp.is_Integer:
        return in_unknowns(term.base, unknowns) ** term.exp
    if term.is_Pow and term.exp.is_Rational and term.exp.q == HALF:
        name = unknowns.of(form("sqrt")(term.base))
        unknowns.roots[name] = term.base
        return name**term.exp.p
    return unknowns.of(term)


def exponential(part: Term, unknowns: Unknowns) -> Term:
    """exp of one addend: a power of the unknown that its variables have."""
    times, rest = part.as_coeff_Mul()
    return unknowns.of(form("exp")(rest / times.q)) ** times.p


def fraction(term: Term, ring: Any) -> tuple[Polynomial, dict[Polynomial, int]]:
    """A numerator over powers of factors."""
    if term.is_Symbol or term.is_Rational:
        return ring.from_expr(term), {}
    if term.is_Add:
        return total([fraction(a, ring) for a in term.args], ring)
    if term.is_Mul:
        top, below = ring.one, dict[Polynomial, int]()
        for more, factors in (fraction(a, ring) for a in term.args):
            top *= more
            below = {f: below.get(f, 0) + factors.get(f, 0) for f in {*below, *factors}}
        return top, below
    top, below = fraction(term.base, ring)
    times = abs(int(term.exp))
    if term.exp > 0:
        return top**times, {f: n * times for f, n in below.items()}
    leading = top.LC
    return power_of(below, ring) ** times / leading**times, {top / leading: times}


def total(parts: list[tuple[Polynomial, dict[Polynomial, int]]], ring: Any) -> tuple[Polynomial, dict[Polynomial, int]]:
    """A sum over the least powers that all of them divide."""
    common: dict[Polynomial, int] = {}
    for _, factors in parts:
        common |= {f: max(n, common.get(f, 0)) for f, n in factors.items()}
    top = ring.zero
    for part, factors in parts:
        top += part * power_of({f: n - factors.get(f, 0) for f, n in common.items()}, ring)
    return top, common


def power_of(factors: Factors, ring: Any) -> Polynomial:
    product = ring.one
    for factor, times in factors.items():
        product *= factor**times
    return product


def without_squares(
    top: Polynomial, ring: Any, place: int, base: tuple[Polynomial, dict[Polynomial, int]]
) -> Polynomial:
    """The numerator with the square of one unknown replaced; what that divides by is multiplied out."""
    square, below = base[0], power_of(base[1], ring)
    most = max((m[place] // 2 for m in top.monoms()), default=0)
    found = ring.zero
    for powers, times in top.terms():
        half = powers[place] // 2
        rest = ring({(*powers[:place], powers[place] % 2, *powers[place + 1 :]): times})
        found += rest * square**half * below ** (most - half)
    return found
