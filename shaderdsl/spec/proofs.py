"""Which derived stages are 0, proved: sums of sums written as one sum, conditions as numbers, and what the forward says put to use.

    p[t] = sum(u, c) e[t, u] * v[u, c] * d_o[t, c]       q[t, u] = sum(c) v[u, c] * d_o[t, c]
    sum(u) e[t, u] * (q[t, u] - p[t] / l[t])  =  p[t] - p[t] / l[t] * sum(u) e[t, u]  =  0

So no gradient flows into the maximum that a softmax subtracts, whatever its masks and weights are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from shaderdsl.spec.facts import Facts, names_of
from shaderdsl.spec.indicators import split
from shaderdsl.spec.notation import Bound, Index, OpSpec, Read, Reduction, ReductionKind, Scalar, Stage
from shaderdsl.spec.real import Term, sympy

LARGEST = 400
"""Operations of an expression that is still written out."""


def proved_zero(spec: OpSpec, count: int, given: tuple[str, ...]) -> frozenset[str]:
    """The derived stages, those after the first `count`, that are 0."""
    peaks = (ReductionKind.MAX, ReductionKind.MIN)
    if not any(isinstance(s.how, Reduction) and s.how.kind in peaks for s in spec.stages[:count]):
        return frozenset()
    return Proof(spec, count, given, guards=True).run()


@dataclass(slots=True)
class Sum:
    """What a sum is of. `keys`: the indices that its value has."""

    keys: tuple[str, ...]
    integrand: Term
    over: dict[str, Scalar]


@dataclass(slots=True)
class Proof(Facts):
    """One walk through the derived stages: the value of each, with a symbol for every sum."""

    values: dict[str, tuple[tuple[str, ...], Term]] = field(default_factory=dict[str, "tuple[tuple[str, ...], Term]"])
    made: dict[str, Sum] = field(default_factory=dict[str, Sum])

    def term(self, scalar: Scalar) -> Term:
        return self.absorbed(split(self.bridge.term(scalar)))

    def run(self) -> frozenset[str]:
        """The names of the stages that are 0."""
        zero: set[str] = set()
        for stage in self.spec.stages[self.count :]:
            value = self.value(stage)
            if value is None or sympy.count_ops(value) > LARGEST:
                continue
            value = sympy.S.Zero if numerator(value) == 0 else value
            self.values[stage.targets[0].name] = (names_of(stage), value)
            if value == 0:
                zero.add(stage.targets[0].name)
        return frozenset(zero)

    def value(self, stage: Stage) -> Term | None:
        """The value of a map or a sum; of anything else nothing is known."""
        if stage.how is None:
            return self.inlined(stage.values[0])
        if not isinstance(stage.how, Reduction) or stage.how.kind is not ReductionKind.SUM:
            return None
        term = self.inlined(stage.values[0])
        bounds = self.extents.stage(stage)
        over = {b.name: bounds[b.name] for b in stage.how.over}
        return None if sympy.count_ops(term) > LARGEST else self.total(sympy.expand(term), over)

    def inlined(self, scalar: Scalar) -> Term:
        """A scalar with the values of derived stages in place, where they are read at plain indices or are 0."""
        term = self.term(scalar)
        found: dict[Term, Term] = {}
        for symbol in sorted(term.free_symbols, key=str):
            read = self.bridge.back.get(symbol)
            if isinstance(read, Read) and read.tensor in self.values:
                keys, value = self.values[read.tensor]
                if value == 0 or all(isinstance(i, Index) for i in read.indices):
                    found[symbol] = self.moved(value, dict(zip(keys, read.indices)))
        return self.normal(term.xreplace(found))

    def total(self, term: Term, over: dict[str, Scalar]) -> Term:
        """A sum, term by term."""
        parts = sympy.Add.make_args(self.absorbed(term))
        return sympy.Add(*[self.part(part, over) for part in parts])

    def part(self, product: Term, over: dict[str, Scalar]) -> Term:
        """The sum of a product: what does not depend on the summed indices, times a sum that is known or has a symbol."""
        product, over = self.flattened(product, dict(over))
        outside, inside = sympy.S.One, sympy.S.One
        for factor in sympy.Mul.make_args(product):
            inside, outside = (
                (inside * factor, outside) if self.depends(factor, set(over)) else (inside, outside * factor)
            )
        return outside * self.sum_of(inside, over)

    def flattened(self, product: Term, over: dict[str, Scalar]) -> tuple[Term, dict[str, Scalar]]:
        """A product with the sums in it that depend on the summed indices written out, and all indices summed then."""
        for factor in sympy.Mul.make_args(product):
            read = self.bridge.back.get(factor)
            inner = self.made.get(read.tensor) if isinstance(read, Read) else None
            if inner is None or not isinstance(read, Read) or not self.depends(factor, set(over)):
                continue
            taken = {*over, *self.indices_in(product)}
            fresh = {name: free(name, taken) for name in inner.over}
            places: dict[str, Scalar] = dict(zip(inner.keys, read.indices)) | {n: Index(f) for n, f in fresh.items()}
            over |= {fresh[n]: extent for n, extent in inner.over.items()}
            return self.flattened(product / factor * self.moved(inner.integrand, places), over)
        return self.absorbed(product), over

    def sum_of(self, integrand: Term, over: dict[str, Scalar]) -> Term:
        """A sum of a product of what depends on the summed indices."""
        unused = [n for n in over if not self.depends(integrand, {n})]
        counts = sympy.Mul(*[self.bridge.term(over.pop(n)) for n in unused])
        if not over:
            return counts * integrand
        bounds = tuple(Bound(n) for n in sorted(over))
        key = self.key(integrand, bounds, over)
        found = self.sums.get(key)
        if found is None:
            found = self.known(integrand, bounds, over)
        if found is None:
            found = self.partly(integrand, over)
        if found is None:
            found = self.symbol(integrand, over)
        self.sums[key] = found
        return counts * found

    def partly(self, integrand: Term, over: dict[str, Scalar]) -> Term | None:
        """A sum over some of the indices that the forward has, and the rest summed over the others."""
        for (inner, ranges), value in list(self.sums.items()):
            names = {n for n, _ in ranges}
            written_down = self.is_forward(inner) and self.is_forward(value)
            if not written_down or not names < set(over) or any(repr(over[n]) != e for n, e in ranges):
                continue
            rest = integrand / inner
            if not self.depends(rest, names):
                return self.part(sympy.expand(rest * value), {n: e for n, e in over.items() if n not in names})
        return None

    def symbol(self, integrand: Term, over: dict[str, Scalar]) -> Term:
        """A new symbol for a sum."""
        keys = tuple(sorted(self.indices_in(integrand) - set(over)))
        name = f"sum {len(self.made)}"
        self.made[name] = Sum(keys, integrand, dict(over))
        return self.bridge.leaf(Read(name, tuple(map(Index, keys))))


def free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


def numerator(term: Term) -> Term:
    """What is 0 where a term is."""
    return sympy.expand(sympy.fraction(sympy.together(sympy.expand(term)))[0])
