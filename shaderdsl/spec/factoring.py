"""Sums as products, where that takes little time and always gives the same.

factored(x * y + x * z)     # x * (y + z)

Factoring in many symbols draws at random, and by chance takes minutes: beyond a few symbols only common factors are taken out.
"""

from __future__ import annotations

from sympy.core import random

from shaderdsl.spec.real import Term, sympy

MOST = 10
"""Symbols and functions of an expression that is factored."""


def factored(term: Term) -> Term:
    """A term as a product, exactly."""
    if len(term.atoms(sympy.Symbol, sympy.Function)) > MOST:
        return sympy.factor_terms(term)
    before = random.rng.getstate()
    random.rng.seed(0)
    try:
        return sympy.factor(term)
    finally:
        random.rng.setstate(before)
