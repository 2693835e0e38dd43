"""What the forward stages of a derived spec say about its values: names for expressions, sums that are known, conditions that hold.

    e[j] = exp(x[j] - m)      s = sum(j) e[j]      y[j] = e[j] / s

names exp(x[j] - m), gives the sum of e, and with e solved as y * s that of y, which is 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from shaderdsl.spec.adjoint import gradient_name
from shaderdsl.spec.bridge import Bridge
from shaderdsl.spec.extents import Extents, extents_of
from shaderdsl.spec.indicators import Indicator, absorbed, implying, indicated
from shaderdsl.spec.notation import Bound, Index, OpSpec, Read, Reduction, ReductionKind, Scalar, Stage
from shaderdsl.spec.real import COMPARISONS, Real, Term, Where, sympy
from shaderdsl.spec.rewrite import index_names, substituted, tensors
from shaderdsl.spec.shortest import plain
from shaderdsl.spec.slopes import Exp

SumKey: TypeAlias = tuple[Term, tuple[tuple[str, str], ...]]
"""An integrand, and the summed indices with their extents."""


@dataclass(slots=True)
class Facts:
    """`count`: forward stages. `given`: the forward's outputs. `through`: a forward tensor, and the stage that is solved for it.

    guards: whether conditions are numbers, which may be taken out of products and into sums.
    """

    spec: OpSpec
    count: int
    given: tuple[str, ...]
    through: Mapping[str, str] = field(default_factory=dict[str, str])
    guards: bool = False
    extents: Extents = field(init=False)
    bridge: Bridge = field(default_factory=Bridge)
    sums: dict[SumKey, Term] = field(default_factory=dict["SumKey", Term])
    named: list[tuple[Term, Term]] = field(default_factory=list[tuple[Term, Term]])
    maps: dict[Term, Term] = field(default_factory=dict[Term, Term])
    solved: dict[Term, Term] = field(default_factory=dict[Term, Term])
    implied: dict[Term, frozenset[Term]] = field(default_factory=dict[Term, "frozenset[Term]"])
    forward: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.extents = extents_of(self.spec)
        self.forward = {i.name for i in self.spec.inputs} - {gradient_name(n) for n in self.given}
        for stage in self.spec.stages[: self.count]:
            self.forward |= {t.name for t in stage.targets}
            self.remember(stage)

    def term(self, scalar: Scalar) -> Term:
        """A formula as a sympy expression."""
        term = self.bridge.term(scalar)
        return self.absorbed(indicated(term)) if self.guards and term.has(Where) else term

    def absorbed(self, term: Term) -> Term:
        return absorbed(term, self.implications)

    def implications(self, base: Term) -> frozenset[Term]:
        return self.implied.get(base, frozenset())

    def remember(self, stage: Stage) -> None:
        """What a forward stage says: a map names an expression, a sum or mean names a sum."""
        target = stage.targets[0]
        own = self.bridge.leaf(Read(target.name, tuple(Index(b.name) for b in target.bounds)))
        value = self.normal(self.term(stage.values[0]))
        if stage.how is None:
            self.remember_map(target.name, own, value, stage.values[0])
        elif isinstance(stage.how, Reduction) and stage.how.kind in (ReductionKind.SUM, ReductionKind.MEAN):
            bounds = self.extents.stage(stage)
            count = sympy.S.One
            if stage.how.kind is ReductionKind.MEAN:
                for bound in stage.how.over:
                    count *= self.bridge.term(bounds[bound.name])
            self.sums.setdefault(self.key(value, stage.how.over, bounds), count * own)

    def remember_map(self, target: str, own: Term, value: Term, scalar: Scalar) -> None:
        """The names that a map gives, and what its value implies."""
        if plain(value):
            self.maps[own] = value
        holding = {f for factor in sympy.Mul.make_args(value) for f in implying(factor, self.implications)}
        if holding:
            self.implied[own] = frozenset(holding)
        if nameable(value) and not self.bridge.respelled(scalar):
            self.named.append((value, own))
        if isinstance(value, Exp):
            self.bridge.grown[own] = value
        name = next((n for n, by in self.through.items() if by == target), None)
        if name is not None:
            self.solve(value, own, name)

    def solve(self, value: Term, own: Term, name: str) -> None:
        """Express the forward tensor `name` through the map that is a product with it: e as y * s."""
        inner = [s for s in value.free_symbols if isinstance(r := self.bridge.back.get(s), Read) and r.tensor == name]
        if len(inner) == 1:
            ratio = sympy.cancel(value / inner[0])
            if ratio != 0 and not ratio.has(inner[0], Indicator):
                self.solved[inner[0]] = own / ratio
                self.carry_over()

    def carry_over(self) -> None:
        """Known sums in the new terms: that of e is s, so that of y, which is e / s, is 1."""
        for (integrand, ranges), value in list(self.sums.items()):
            moved = integrand.xreplace(self.solved)
            if moved == integrand:
                continue
            names = {name for name, _ in ranges}
            inner = [s for s in moved.free_symbols if self.depends(s, names)]
            outside, inside = moved.as_independent(*inner, as_Add=False)
            self.sums.setdefault((inside, ranges), sympy.cancel(value / outside))

    def normal(self, term: Term) -> Term:
        """A term with the forward's own names for what it contains."""
        for value, name in self.named:
            if isinstance(value, Real) or value.is_Mul:
                term = term.subs(value, name) if all(term.has(f.func) for f in sympy.Mul.make_args(value)) else term
            else:
                term = term.xreplace(powers_of(term, value, name))
        return self.absorbed(outside_conditions(term, self.solved))

    def moved(self, term: Term, indices: dict[str, Scalar]) -> Term:
        """A term with its indices renamed."""
        if all(i == Index(n) for n, i in indices.items()):
            return term
        fresh: dict[Term, Term] = {}
        for symbol in sorted(term.free_symbols, key=str):
            scalar = self.bridge.back.get(symbol)
            if scalar is not None and index_names(scalar):
                fresh[symbol] = self.bridge.leaf(substituted(scalar, indices))
        return term.xreplace(fresh)

    def is_forward(self, term: Term) -> bool:
        """Whether a term holds nothing but forward values."""
        found = [self.bridge.back.get(s) for s in term.free_symbols]
        return all(r is None or tensors(r) <= self.forward for r in found)

    def depends(self, term: Term, over: set[str]) -> bool:
        return any(index_names(self.bridge.back[s]) & over for s in term.free_symbols if s in self.bridge.back)

    def indices_in(self, term: Term) -> set[str]:
        return {n for s in term.free_symbols if s in self.bridge.back for n in index_names(self.bridge.back[s])}

    def key(self, integrand: Term, over: tuple[Bound, ...], bounds: dict[str, Scalar]) -> SumKey:
        """Sums are the same if their integrands and ranges are."""
        return (integrand, tuple(sorted((b.name, repr(bounds[b.name])) for b in over)))

    def known(self, integrand: Term, over: tuple[Bound, ...], bounds: dict[str, Scalar]) -> Term | None:
        """A sum of forward values that the forward's own sums give, as that of x - mean(x)."""
        if not self.is_forward(integrand):
            return None
        names = {b.name for b in over}
        total: Term = sympy.S.Zero
        for part in sympy.Add.make_args(sympy.expand(self.written_out(integrand))):
            outside, inside = part.as_independent(
                *[s for s in part.free_symbols if self.depends(s, names)], as_Add=False
            )
            found = self.sums.get(self.key(inside, over, bounds))
            if inside == 1:
                found = sympy.Mul(*[self.bridge.term(bounds[b.name]) for b in over])
            if found is None:
                return None
            total += outside * found
        return sympy.expand(total)

    def written_out(self, term: Term) -> Term:
        """A term with the forward's rational maps in place: x - mu for c."""
        for symbol in sorted(term.free_symbols, key=str):
            value = self.maps.get(symbol)
            if value is not None:
                term = term.xreplace({symbol: self.written_out(value)})
        return term


def outside_conditions(term: Term, names: Mapping[Term, Term]) -> Term:
    """A term with other terms for some of its symbols, but in comparisons: their sides are the very numbers of the forward."""
    if not names:
        return term
    kept = {c: sympy.Dummy(real=True) for c in term.atoms(*COMPARISONS)}
    return term.xreplace(kept).xreplace(names).xreplace({dummy: c for c, dummy in kept.items()})


def names_of(stage: Stage) -> tuple[str, ...]:
    return tuple(b.name for b in stage.targets[0].bounds)


def nameable(value: Term) -> bool:
    """Whether a map is known again where its value stands: a function, guarded or not, or a root."""
    if value.is_Mul:
        guards = [f for f in value.args if isinstance(f, Indicator)]
        return bool(guards) and len(value.args) == len(guards) + 1 and nameable_alone(value / sympy.Mul(*guards))
    return nameable_alone(value)


def nameable_alone(value: Term) -> bool:
    return isinstance(value, Real) or (value.is_Pow and not value.exp.is_Integer)


def powers_of(term: Term, root: Term, name: Term) -> dict[Term, Term]:
    """The broken powers in a term that a named one gives; whole ones stay, as the base may be where no root is."""
    found = [p for p in term.atoms(sympy.Pow) if p.base == root.base and not p.exp.is_Integer]
    return {p: name ** (p.exp / root.exp) for p in found if (p.exp / root.exp).is_Integer}
