"""Products and quotients as formulas write them: what stands above the bar and below, and what a guard has to go around."""

from __future__ import annotations

from shaderdsl.spec.forms import UNBOUNDED
from shaderdsl.spec.notation import Number, Operation, Operator, Scalar
from shaderdsl.spec.real import (
    Term,
    Where,
    sympy,
)
from shaderdsl.spec.slopes import (
    Exp,
)


def multiplied(term: Term) -> tuple[Term, Term] | None:
    """A number of times a `where` that is 0 on one side: the condition, and the other side so many times."""
    number, rest = term.as_coeff_Mul()
    return (rest.args[0], number * rest.args[1]) if isinstance(rest, Where) and rest.args[2] == 0 else None


def guarded(term: Term) -> Term | None:
    """A product with a `where` that is 0 on one side, put inside it if something else in it may be infinite there."""
    factors = sympy.Mul.make_args(term)
    chosen = next((f for f in factors if isinstance(f, Where) and f.args[2] == 0), None)
    if chosen is None or not any(may_be_infinite(f) for f in factors if f is not chosen):
        return None
    condition, a, _ = chosen.args
    return Where(condition, a * term / chosen, 0)


def shrinks(above: list[Term], below: list[Term]) -> bool:
    """Whether factors divide."""
    return bool(below) or any(f.as_base_exp()[1].is_negative for f in above)


def may_be_extreme(factor: Term) -> bool:
    """Whether a factor is a power that may be 0 or infinite in floats where its base is neither."""
    base, times = factor.as_base_exp()
    return bool(times.is_Integer and times > 1) and not base.is_integer


def risen(term: Term) -> Term:
    """A power of exp that is no whole one above 1, as one exp: 1 / exp(u) may be 0 where exp(-u) is not."""
    base, times = term.as_base_exp()
    if not isinstance(base, Exp) or (times.is_Integer and times > 0):
        return term
    return Exp(times * base.args[0])


def may_be_infinite(factor: Term) -> bool:
    return factor.has(*UNBOUNDED) or any(not p.exp.is_nonnegative for p in factor.atoms(sympy.Pow))


def number(value: float) -> Term:
    """A float as an exact rational where that is short, so that 0.5 cancels against 2; else the float."""
    short = sympy.Rational(value)
    return short if short.q <= 1024 and abs(value) < 2**31 else sympy.Float(value)


def rational(above: int, below: int) -> Scalar:
    """A fraction: a float where a binary one is exact, else a division."""
    if below & (below - 1) == 0:
        return Number(above / below)
    return Operation(Operator.DIV, (Number(above), Number(below)))


def sides(term: Term) -> tuple[list[Term], list[Term]]:
    """Factors above and below the bar. Half-integer powers stay above, as rsqrt."""
    above: list[Term] = []
    below: list[Term] = []
    for factor in term.as_ordered_factors():
        base, exponent = factor.as_base_exp()
        if factor.is_Rational and not factor.is_Integer and factor.q & (factor.q - 1):
            if factor.p != 1:
                above.append(sympy.Integer(factor.p))
            below.append(sympy.Integer(factor.q))
        elif exponent.is_Integer and exponent < 0:
            below.append(base**-exponent)
        else:
            above.append(factor)
    return above, below
