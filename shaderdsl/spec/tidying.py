"""Derived stages made short, one way: inlined, summed once, cancelled, and expressed through what the forward already has.

Each derived sum is expanded and what does not depend on the summed index is taken out; sums with one integrand become one stage, and a sum
that the forward defines becomes a read of it. The algebra is exact in real numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from shaderdsl.spec.extents import taken_names, unused
from shaderdsl.spec.facts import Facts, names_of
from shaderdsl.spec.indicators import Indicator, regrouped
from shaderdsl.spec.notation import Bound, Index, OpSpec, Read, Reduction, ReductionKind, Scalar, Stage, Target
from shaderdsl.spec.real import Real, Term, sympy
from shaderdsl.spec.rewrite import tensors
from shaderdsl.spec.shortest import LARGEST, expanded, short, vanishing
from shaderdsl.spec.spellings import nested

WIDEST = 100
"""Parts of an expression that derived maps are still put into; beyond, they are stages of their own, since paths grow exponentially."""
SMALL = 5
"""Parts of a derived map that may stand in an expression of any width."""
LONG, NARROW = 100, 30
"""Stages of a spec that is tidied with less care, and the width of its expressions: only common factors are taken out of them."""


def width(term: Term) -> int:
    """The parts of an expression."""
    return 1 + sum(map(width, term.args))


@dataclass(slots=True)
class Tidying(Facts):
    """One way through a derived spec. `zero`: tensors that vanish. `kept`: derived maps that stay stages."""

    zero: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    values: dict[str, tuple[tuple[str, ...], Term]] = field(default_factory=dict[str, "tuple[tuple[str, ...], Term]"])
    stages: list[Stage] = field(default_factory=list[Stage])
    names: set[str] = field(default_factory=set[str])

    def run(self) -> OpSpec:
        """The spec of the forward stages and the derived ones that are left."""
        self.names = taken_names(self.spec)
        self.stages = list(self.spec.stages[: self.count])
        for stage in self.spec.stages[self.count :]:
            self.derived(stage)
        return replace(self.spec, stages=tuple(self.stages))

    def text(self, term: Term) -> Scalar:
        """An expression as a formula."""
        return self.bridge.scalar(regrouped(term, self.short))

    @property
    def long(self) -> bool:
        return len(self.spec.stages) > LONG

    def short(self, term: Term) -> Term:
        return sympy.factor_terms(term) if self.long and not term.has(Indicator) else short(term)

    def derived(self, stage: Stage) -> None:
        name = stage.targets[0].name
        if name in self.zero and name not in self.spec.outputs:
            self.values[name] = (names_of(stage), sympy.S.Zero)
            return
        self.written(stage)
        if name in self.values and self.values[name][1] == 0:
            self.zero |= {name}
        elif name in self.kept and name in self.values:
            self.keep(name)
            del self.values[name]

    def written(self, stage: Stage) -> None:
        """A derived stage as a value for its readers, or as a stage."""
        bounds = self.extents.stage(stage)
        if isinstance(stage.how, Reduction) and stage.how.kind is ReductionKind.SUM:
            self.summed(stage, stage.how, bounds)
        elif stage.how is None and stage.targets[0].name not in self.spec.outputs:
            value = vanishing(self.inlined(stage.values[0]))
            self.values[stage.targets[0].name] = (names_of(stage), value)
        else:
            values = tuple(self.text(self.short(self.inlined(v))) for v in stage.values)
            self.stages.append(replace(stage, values=values))

    def inlined(self, scalar: Scalar) -> Term:
        """A scalar with the derived maps that it reads in place; a read that may lie outside keeps its stage."""
        term = self.term(scalar)
        self.bound(term)
        placed: dict[Term, Term] = {}
        for symbol in sorted(term.free_symbols, key=str):
            read = self.bridge.back.get(symbol)
            pending = sorted(n for n in tensors(read) if n in self.values) if read is not None else []
            if not pending:
                continue
            if isinstance(read, Read) and all(isinstance(i, Index) for i in read.indices):
                keys, value = self.values[read.tensor]
                placed[symbol] = self.moved(value, dict(zip(keys, read.indices)))
                continue
            for name in pending:
                self.keep(name)
        return nested(self.normal(term.xreplace(placed)), self.bridge.grown)

    def bound(self, term: Term) -> None:
        """Write the derived maps that a term reads as stages, where it would grow too wide with them in place."""
        found = [self.bridge.back.get(s) for s in sorted(term.free_symbols, key=str)]
        names = [r.tensor for r in found if isinstance(r, Read) and r.tensor in self.values]
        widths = {n: width(self.values[n][1]) for n in names}
        if width(term) + sum(widths[n] for n in names) > (NARROW if self.long else WIDEST):
            for name in (n for n in widths if widths[n] > SMALL):
                self.keep(name)
                del self.values[name]

    def keep(self, name: str) -> None:
        """Write a derived map as a stage after all."""
        if any(t.name == name for s in self.stages for t in s.targets):
            return
        keys, value = self.values[name]
        bounds = tuple(Bound(k, e) for k, e in zip(keys, self.extents.tensors[name]))
        self.stages.append(Stage((Target(name, bounds),), None, (self.text(self.short(value)),)))

    def summed(self, stage: Stage, how: Reduction, bounds: dict[str, Scalar]) -> None:
        """Take what does not depend on the summed indices out of each term, and name what is left once."""
        total = self.gathered(self.inlined(stage.values[0]), how.over, bounds, stage)
        target = stage.targets[0]
        if target.name in self.spec.outputs:
            self.output(stage, how, total)
        else:
            self.values[target.name] = (names_of(stage), total)

    def gathered(self, term: Term, over: tuple[Bound, ...], bounds: dict[str, Scalar], stage: Stage) -> Term:
        """A sum of products as outside factors times sums of what depends on the summed indices."""
        names = {b.name for b in over}
        total: Term = sympy.S.Zero
        for part in sympy.Add.make_args(self.absorbed(self.spread(term))):
            outside, inside = sympy.S.One, sympy.S.One
            for factor in sympy.Mul.make_args(part):
                if self.depends(factor, names):
                    inside *= factor
                else:
                    outside *= factor
            total += outside * self.sum_of(inside, over, bounds, stage)
        return vanishing(expanded(total)) if sympy.count_ops(total) <= LARGEST else total

    def spread(self, term: Term) -> Term:
        """Products distributed over sums of derived quantities; sums of forward values stay whole, so that nothing new cancels in floats."""
        whole: dict[Term, Term] = {}

        def protect(inner: Term) -> Term:
            if inner.is_Add and self.is_forward(inner):
                return whole.setdefault(inner, sympy.Dummy(real=True))
            if not inner.args or isinstance(inner, Real):
                return inner
            return inner.func(*[protect(a) for a in inner.args])

        spread = sympy.expand_mul(protect(term))
        return spread.xreplace({dummy: inner for inner, dummy in whole.items()})

    def output(self, stage: Stage, how: Reduction, total: Term) -> None:
        """An output that is one sum stays a stage of that sum, with its outside factor inside; else it is a map of sums."""
        target = stage.targets[0]
        last = self.stages[-1]
        symbol = self.bridge.leaves.get(
            Read(last.targets[0].name, tuple(Index(b.name) for b in last.targets[0].bounds))
        )
        made = (
            isinstance(last.how, Reduction) and last.targets[0].name not in self.forward and last.how.over == how.over
        )
        if made and symbol is not None and total.is_Mul | total.is_Symbol:
            outside = sympy.cancel(total / symbol)
            if not outside.has(symbol) and not self.is_read(last.targets[0].name):
                value = self.text(outside * self.term(last.values[0]))
                self.stages[-1] = replace(stage, values=(value,))
                self.sums = {k: v for k, v in self.sums.items() if v != symbol}
                return
        value = self.text(self.short(total))
        self.stages.append(Stage((target,), None, (value,)))

    def is_read(self, name: str) -> bool:
        """Whether a stage or a pending map reads a tensor."""
        pending = any(
            isinstance(r := self.bridge.back.get(s), Read) and r.tensor == name
            for _, value in self.values.values()
            for s in value.free_symbols
        )
        return pending or any(name in tensors(v) for s in self.stages for v in s.values)

    def sum_of(self, integrand: Term, over: tuple[Bound, ...], bounds: dict[str, Scalar], stage: Stage) -> Term:
        """The sum of an integrand as a read of the stage that holds it, made if there is none."""
        if integrand == 1:
            result = sympy.S.One
            for bound in over:
                result *= self.bridge.term(bounds[bound.name])
            return result
        key = self.key(integrand, over, bounds)
        found = self.sums.get(key)
        if found is None:
            found = self.known(integrand, over, bounds)
        if found is None:
            used = self.indices_in(integrand) - {b.name for b in over}
            kept = tuple(b for b in stage.targets[0].bounds if b.name in used)
            read = Read(unused("p", self.names), tuple(Index(b.name) for b in kept))
            found = self.bridge.leaf(read)
            written = tuple(Bound(b.name, bounds[b.name]) for b in kept)
            value = self.text(integrand)
            self.stages.append(Stage((Target(read.tensor, written),), Reduction(ReductionKind.SUM, over), (value,)))
        self.sums[key] = found
        return found
