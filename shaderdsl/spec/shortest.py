"""The shortest of a few exact forms of an expression."""

from __future__ import annotations

from shaderdsl.spec.factoring import factored
from shaderdsl.spec.indicators import Indicator, regrouped
from shaderdsl.spec.real import Term, Where, sympy
from shaderdsl.spec.slopes import GROWING

LARGEST = 60
"""Operations of an expression that is still factored; beyond, sympy takes seconds."""
LARGEST_ARM = 14
"""The same of what `where` guards, which may be many."""


def short(term: Term) -> Term:
    """The shortest of a few exact forms, with `where` for every indicator."""
    term = regrouped(term, short) if term.has(Indicator) else within_arms(term)
    if sympy.count_ops(term) > LARGEST:
        return sympy.factor_terms(term)
    if term.has(Where):
        return min((term, sympy.factor_terms(term), merged(term)), key=lambda t: (sympy.count_ops(t), len(str(t))))
    if not plain(term):
        return sympy.factor_terms(term)
    ways = [term, sympy.factor_terms(term), factored(term), sympy.cancel(term)]
    return min(ways, key=lambda t: (sympy.count_ops(t), highest(t), len(str(t))))


def within_arms(term: Term) -> Term:
    """A term with what `where` guards made short."""
    if not term.has(Where):
        return term
    if isinstance(term, Where):
        condition, a, b = term.args
        return Where(condition, *(short(arm) if is_short(arm) else arm for arm in (a, b)))
    return term.func(*map(within_arms, term.args)) if term.is_Add or term.is_Mul or term.is_Pow else term


def is_short(arm: Term) -> bool:
    """Whether a guarded term is short, and exact: over a common bar rounded numbers are no more what they were."""
    return sympy.count_ops(arm) <= LARGEST_ARM and not arm.has(sympy.Float)


def highest(term: Term) -> int:
    """The largest whole power: of two forms as short, the one that overflows later."""
    return max((int(p.exp) for p in term.atoms(sympy.Pow) if p.exp.is_Integer), default=1)


def expanded(term: Term) -> Term:
    """A term with its products written out; what divides stays, as (a + b)**2 is right where a**2 and b**2 are infinite."""
    below = {p.base for p in term.atoms(sympy.Pow) if p.base.is_Add and p.exp.is_negative}
    whole = {base: sympy.Dummy(real=True) for base in sorted(below, key=str)}
    kept = {p: whole[p.base] ** p.exp for p in term.atoms(sympy.Pow) if p.base in whole and p.exp.is_negative}
    return sympy.expand(term.xreplace(kept)).xreplace({dummy: base for base, dummy in whole.items()})


def vanishing(term: Term) -> Term:
    """Zero where the term is, once its products are written out; else the term."""
    if sympy.count_ops(term) > LARGEST:
        return term
    return sympy.S.Zero if merged(sympy.expand(term)) == 0 else term


def merged(term: Term) -> Term:
    """Products with `where` put inside it, and those of one condition added: s * where(c, 1 / s, 0) - where(c, 1, 0) is 0."""
    arms: dict[Term, tuple[Term, Term]] = {}
    rest: Term = sympy.S.Zero
    for part in sympy.Add.make_args(term):
        factors = sympy.Mul.make_args(part)
        chosen = next((f for f in factors if isinstance(f, Where)), None)
        if chosen is None:
            rest += part
            continue
        condition, yes, no = chosen.args
        others = part / chosen
        before = arms.get(condition, (sympy.S.Zero, sympy.S.Zero))
        arms[condition] = (before[0] + others * yes, before[1] + others * no)
    for condition, (yes, no) in arms.items():
        rest += Where(condition, sympy.factor_terms(sympy.expand(yes)), sympy.factor_terms(sympy.expand(no)))
    return rest


def plain(term: Term) -> bool:
    """Whether a term is rational in what no condition guards."""
    return not term.has(Where, Indicator, *GROWING)
