"""Spellings of stable functions: what a formula writes in a way that overflows or cancels, differentiated or not, as the function that it is.

logarithm(1 + Exp(x)) == Softplus(x)      quotient(1, 1 + Exp(-x)) == Sigmoid(x)      product(x, Sigmoid(x)) == Silu(x)

Formulas keep their text; their derivatives are made from what is recognised here.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Mapping

from shaderdsl.spec.notation import Operator
from shaderdsl.spec.real import Signum, Term, sympy
from shaderdsl.spec.slopes import (
    Abs,
    Exp,
    Expm1,
    Exprel,
    Growth,
    OnePlusTanh,
    Power,
    Sigmoid,
    Silu,
    Softplus,
    Tanh,
    joined,
)


def beside(term: Term, number: int) -> Term | None:
    """The other term of a sum with this number, where there is one other."""
    parts = sympy.Add.make_args(term)
    if len(parts) != 2 or number not in parts:
        return None
    return parts[0] if parts[1] == number else parts[1]


def total(a: Term, b: Term) -> Term:
    """1 + tanh(u) is 2 sigmoid(2 u), and exp(u) - 1 is expm1(u)."""
    found = a + b
    one, less = beside(found, 1), beside(found, -1)
    if one is not None and isinstance(one, Tanh):
        return OnePlusTanh(one.args[0])
    if one is not None and isinstance(-one, Tanh):
        return OnePlusTanh(-(-one).args[0])
    return Expm1(less.args[0]) if isinstance(less, Exp) else found


def product(a: Term, b: Term) -> Term:
    """exp(u) exp(v) is exp(u + v), x sigmoid(x) is silu(x), x times its sign abs(x); x exprel(x a) has a slope of its own by x."""
    found = joined(a * b)
    factors = sympy.Mul.make_args(found)
    for factor in factors:
        if isinstance(factor, Exprel) and factor.args[0].is_Mul:
            x = next((p for p in factor.args[0].args if p.is_Symbol and p in factors), None)
            if x is not None:
                return sympy.Mul(found / (x * factor), Growth(x, factor.args[0] / x))
        if isinstance(factor, Sigmoid) and factor.args[0] in factors:
            x = factor.args[0]
            return found / (x * factor) * Silu(x)
        if isinstance(factor, Signum) and factor.args[0] in factors:
            x = factor.args[0]
            return found / (x * factor) * Abs(x)
    return found


def quotient(above: Term, below: Term) -> Term:
    """a / (1 + exp(u)) is a sigmoid(-u), and (exp(u) - 1) / u is exprel(u)."""
    grown = beside(below, 1)
    if isinstance(grown, Exp):
        return product(above, Sigmoid(-grown.args[0]))
    for factor in sympy.Mul.make_args(above):
        if isinstance(factor, Expm1) and below.is_Symbol and below in sympy.Mul.make_args(factor.args[0]):
            return product(above / factor * (factor.args[0] / below), Exprel(factor.args[0]))
    return above / below


def power(base: Term, exponent: Term) -> Term:
    """A power by a number, or of one, as sympy's, unless sympy would take its base apart; the root of a square is abs."""
    if base.is_number or exponent.is_Integer:
        return base**exponent
    if isinstance(base, Exp) and exponent.is_number:
        return Exp(exponent * base.args[0])
    if exponent == sympy.Rational(1, 2) and base.is_Pow and base.exp == 2:
        return Abs(base.base)
    return base**exponent if exponent.is_number and not (base.is_Pow or base.is_Mul) else Power(base, exponent)


def logarithm(x: Term) -> Term:
    """log(1 + exp(u)) is softplus(u), log(sigmoid(u)) is -softplus(-u), log(exp(u)) is u."""
    if isinstance(x, Exp):
        return x.args[0]
    if isinstance(x, Sigmoid):
        return sympy.Mul(-1, Softplus(-x.args[0]))
    grown = beside(x, 1)
    return Softplus(grown.args[0]) if isinstance(grown, Exp) else sympy.log(x)


def difference(a: Term, b: Term) -> Term:
    return total(a, -b)


def ratio(a: Term, b: Term) -> Term:
    return a / b


SPELLED: dict[Operator, Callable[[Term, Term], Term]] = {
    Operator.ADD: total,
    Operator.SUB: difference,
    Operator.MUL: product,
    Operator.DIV: quotient,
}
LITERAL: dict[Operator, Callable[[Term, Term], Term]] = {
    Operator.ADD: python.add,
    Operator.SUB: python.sub,
    Operator.MUL: python.mul,
    Operator.DIV: ratio,
}


def nested(term: Term, exponentials: Mapping[Term, Term]) -> Term:
    """A product of exp(u) and exp(v) as exp(u + v), where u holds exp(v): the one may be 0 where the other is infinite.

    exponentials: the exps that forward stages name, by their names.
    """
    known = [s for s in term.free_symbols if s in exponentials]
    if not any(exponentials[s].has(*known) for s in known):
        return term
    if term.is_Mul:
        pairs = ((a, b) for a in term.args for b in term.args if a in known and b in known)
        for outer, inner in pairs:
            if exponentials[outer].has(inner):
                joined = Exp(exponentials[outer].args[0] + exponentials[inner].args[0])
                return nested(term / (outer * inner), exponentials) * joined
    return term.func(*[nested(a, exponentials) for a in term.args]) if term.args else term
