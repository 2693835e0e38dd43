"""Derived stages made short: inlined, summed once, cancelled, and expressed through what the forward already has.

Each derived sum is expanded and what does not depend on the summed index is taken out; sums with one integrand become one stage, and a sum
that the forward defines becomes a read of it. So cancellations show: the gradient of softmax's maximum is 0, proved, not assumed.

    d_x[i, j] = y[i, j] * (d_y[i, j] - p[i])      p[i] = sum(j) d_y[i, j] * y[i, j]

The algebra is exact in real numbers; `where` is kept whole, so that what it guards stays guarded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from shaderdsl.spec.adjoint import gradient_name
from shaderdsl.spec.bridge import Bridge
from shaderdsl.spec.divisors import divisors
from shaderdsl.spec.extents import Extents, extents_of, taken_names, unused
from shaderdsl.spec.factoring import factored
from shaderdsl.spec.notation import (
    Bound,
    Index,
    Number,
    OpSpec,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    Scan,
    Stage,
    Target,
    operands,
)
from shaderdsl.spec.rewrite import index_names, substituted, tensors
from shaderdsl.spec.slopes import GROWING, Exp, Real, Term, Where, sympy
from shaderdsl.spec.spellings import nested

SumKey: TypeAlias = tuple[Term, tuple[tuple[str, str], ...]]
"""An integrand, and the summed indices with their extents."""
LARGEST = 60
"""Operations of an expression that is still factored; beyond, sympy takes seconds."""


def tidy(spec: OpSpec, forward: OpSpec) -> OpSpec:
    """A derived spec made short, by the way that leaves the fewest operations.

    First everything is inlined, which shows what vanishes; then what several stages still read may stay a stage of its own.
    """
    count = len(forward.stages)
    known = {t.name for s in spec.stages[:count] for t in s.targets}
    ways: list[OpSpec] = []
    for through in reuses(spec, count):
        first = Tidying(spec, count, through, forward.outputs)
        ways.append(first.run())
        shared = read_often(spec, count, first.zero)
        if shared:
            ways.append(Tidying(spec, count, through, forward.outputs, first.zero, shared).run())
    bars = divisors(ways[0], known)
    return min((w for w in ways if divisors(w, known) <= bars), key=lambda way: cost(way, known))


def read_often(spec: OpSpec, count: int, zero: frozenset[str]) -> frozenset[str]:
    """Derived maps that more than one stage reads, once what vanishes is gone, and that an output needs."""
    stages = [s for s in spec.stages if not {t.name for t in s.targets} & zero]
    alive = live(replace(spec, stages=tuple(stages)))
    readers = Counter(name for s in alive.stages for name in {n for v in s.values for n in tensors(v)})
    maps = {s.targets[0].name for s in spec.stages[count:] if s.how is None} - set(spec.outputs)
    return frozenset(n for n in maps if readers[n] > 1)


def reuses(spec: OpSpec, count: int) -> Iterator[dict[str, str]]:
    """Ways to express forward tensors through outputs: none, and for each output that is a product with one, that one."""
    yield {}
    for stage in spec.stages[:count]:
        if stage.how is None and len(stage.targets) == 1:
            for name in sorted(tensors(stage.values[0])):
                inner = spec.stage_of(name)
                if inner is not None and inner.how is None:
                    yield {name: stage.targets[0].name}


def cost(spec: OpSpec, known: set[str]) -> tuple[int, int]:
    """Operations of the derived stages, weighted by how many indices they run over, then the number of all stages."""
    total = 0
    for stage in spec.stages:
        if stage.targets[0].name in known:
            continue
        width = len(stage.targets[0].bounds) + (len(stage.how.over) if isinstance(stage.how, Reduction) else 0)
        total += sum(1 + 3 * weight(v) for v in stage.values) * (1 + width)
    return total, len(spec.stages)


def weight(scalar: Scalar) -> int:
    inner = operands(scalar)
    return sum(map(weight, inner)) + (0 if isinstance(scalar, Read) or not inner else 1)


@dataclass(slots=True)
class Tidying:
    """One way through a derived spec. `count`: forward stages. `through`: a forward tensor, and the stage that is solved for it."""

    spec: OpSpec
    count: int
    through: dict[str, str]
    given: tuple[str, ...]
    zero: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    extents: Extents = field(init=False)
    bridge: Bridge = field(default_factory=Bridge)
    values: dict[str, tuple[tuple[str, ...], Term]] = field(default_factory=dict[str, "tuple[tuple[str, ...], Term]"])
    sums: dict[SumKey, Term] = field(default_factory=dict["SumKey", Term])
    facts: list[tuple[Term, Term]] = field(default_factory=list[tuple[Term, Term]])
    maps: dict[Term, Term] = field(default_factory=dict[Term, Term])
    solved: dict[Term, Term] = field(default_factory=dict[Term, Term])
    grown: dict[Term, Term] = field(default_factory=dict[Term, Term])
    forward: set[str] = field(default_factory=set[str])
    stages: list[Stage] = field(default_factory=list[Stage])
    names: set[str] = field(default_factory=set[str])

    def run(self) -> OpSpec:
        self.extents = extents_of(self.spec)
        self.names = taken_names(self.spec)
        self.forward = {i.name for i in self.spec.inputs} - {gradient_name(n) for n in self.given}
        for stage in self.spec.stages[: self.count]:
            self.stages.append(stage)
            self.forward |= {t.name for t in stage.targets}
            self.remember(stage)
        for stage in self.spec.stages[self.count :]:
            self.derived(stage)
        return unwritten(live(replace(self.spec, stages=tuple(self.stages))))

    # Forward facts

    def remember(self, stage: Stage) -> None:
        """What a forward stage says: a map names an expression, a sum or mean names a sum."""
        target = stage.targets[0]
        own = self.bridge.leaf(Read(target.name, tuple(Index(b.name) for b in target.bounds)))
        value = self.normal(self.bridge.term(stage.values[0]))
        if stage.how is None:
            if plain(value):
                self.maps[own] = value
            named = isinstance(value, Real) or (value.is_Pow and not value.exp.is_Integer)
            if named and not self.bridge.respelled(stage.values[0]):
                self.facts.append((value, own))
            if isinstance(value, Exp):
                self.grown[own] = value
            name = next((n for n, by in self.through.items() if by == target.name), None)
            if name is not None:
                self.solve(value, own, name)
        elif isinstance(stage.how, Reduction) and stage.how.kind in (ReductionKind.SUM, ReductionKind.MEAN):
            bounds = self.extents.stage(stage)
            count = self.bridge.term(Number(1))
            if stage.how.kind is ReductionKind.MEAN:
                for bound in stage.how.over:
                    count *= self.bridge.term(bounds[bound.name])
            self.sums.setdefault(self.key(value, stage.how.over, bounds), count * own)

    def solve(self, value: Term, own: Term, name: str) -> None:
        """Express the forward tensor `name` through the map that is a product with it: e as y * s."""
        inner = [s for s in value.free_symbols if isinstance(r := self.bridge.back.get(s), Read) and r.tensor == name]
        if len(inner) == 1:
            ratio = sympy.cancel(value / inner[0])
            if ratio != 0 and not ratio.has(inner[0]):
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
        for value, name in self.facts:
            if isinstance(value, Real):
                term = term.subs(value, name) if term.has(value.func) else term
            else:
                term = term.xreplace(powers_of(term, value, name))
        return term.xreplace(self.solved)

    # Derived stages

    def derived(self, stage: Stage) -> None:
        name = stage.targets[0].name
        if name in self.zero:
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
            values = tuple(self.bridge.scalar(self.short(self.inlined(v))) for v in stage.values)
            self.stages.append(replace(stage, values=values))

    def inlined(self, scalar: Scalar) -> Term:
        """A scalar with the derived maps that it reads in place; a read that may lie outside keeps its stage."""
        term = self.bridge.term(scalar)
        for symbol in sorted(term.free_symbols, key=str):
            read = self.bridge.back.get(symbol)
            if not isinstance(read, Read) or read.tensor not in self.values:
                continue
            keys, value = self.values[read.tensor]
            if all(isinstance(i, Index) for i in read.indices):
                moved = self.moved(value, dict(zip(keys, read.indices)))
                term = term.xreplace({symbol: moved})
            else:
                self.keep(read.tensor)
        return nested(self.normal(term), self.grown)

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

    def keep(self, name: str) -> None:
        """Write a derived map as a stage after all."""
        if any(t.name == name for s in self.stages for t in s.targets):
            return
        keys, value = self.values[name]
        bounds = tuple(Bound(k, e) for k, e in zip(keys, self.extents.tensors[name]))
        self.stages.append(Stage((Target(name, bounds),), None, (self.bridge.scalar(self.short(value)),)))

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
        for part in sympy.Add.make_args(self.spread(term)):
            outside, inside = sympy.S.One, sympy.S.One
            for factor in sympy.Mul.make_args(part):
                if self.depends(factor, names):
                    inside *= factor
                else:
                    outside *= factor
            total += outside * self.sum_of(inside, over, bounds, stage)
        return vanishing(sympy.expand(total)) if sympy.count_ops(total) <= LARGEST else total

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

    def is_forward(self, term: Term) -> bool:
        """Whether a term holds nothing but forward values."""
        found = [self.bridge.back.get(s) for s in term.free_symbols]
        return all(not isinstance(r, Read) or r.tensor in self.forward for r in found)

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
                value = self.bridge.scalar(outside * self.bridge.term(last.values[0]))
                self.stages[-1] = replace(stage, values=(value,))
                self.sums = {k: v for k, v in self.sums.items() if v != symbol}
                return
        value = self.bridge.scalar(self.short(total))
        self.stages.append(Stage((target,), None, (value,)))

    def is_read(self, name: str) -> bool:
        """Whether a stage or a pending map reads a tensor."""
        pending = any(
            isinstance(r := self.bridge.back.get(s), Read) and r.tensor == name
            for _, value in self.values.values()
            for s in value.free_symbols
        )
        return pending or any(name in tensors(v) for s in self.stages for v in s.values)

    def depends(self, term: Term, over: set[str]) -> bool:
        return any(index_names(self.bridge.back[s]) & over for s in term.free_symbols if s in self.bridge.back)

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
            value = self.bridge.scalar(integrand)
            self.stages.append(Stage((Target(read.tensor, written),), Reduction(ReductionKind.SUM, over), (value,)))
        self.sums[key] = found
        return found

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

    def indices_in(self, term: Term) -> set[str]:
        return {n for s in term.free_symbols if s in self.bridge.back for n in index_names(self.bridge.back[s])}

    def key(self, integrand: Term, over: tuple[Bound, ...], bounds: dict[str, Scalar]) -> SumKey:
        """Sums are the same if their integrands and ranges are."""
        return (integrand, tuple(sorted((b.name, repr(bounds[b.name])) for b in over)))

    def short(self, term: Term) -> Term:
        """The shortest of a few exact forms."""
        if sympy.count_ops(term) > LARGEST:
            return sympy.factor_terms(term)
        if term.has(Where):
            return min((term, sympy.factor_terms(term), merged(term)), key=lambda t: (sympy.count_ops(t), len(str(t))))
        if not plain(term):
            return sympy.factor_terms(term)
        ways = [term, sympy.factor_terms(term), factored(term), sympy.cancel(term)]
        return min(ways, key=lambda t: (sympy.count_ops(t), highest(t), len(str(t))))


def highest(term: Term) -> int:
    """The largest whole power: of two forms as short, the one that overflows later."""
    return max((int(p.exp) for p in term.atoms(sympy.Pow) if p.exp.is_Integer), default=1)


def powers_of(term: Term, root: Term, name: Term) -> dict[Term, Term]:
    """The broken powers in a term that a named one gives; whole ones stay, as the base may be where no root is."""
    found = [p for p in term.atoms(sympy.Pow) if p.base == root.base and not p.exp.is_Integer]
    return {p: name ** (p.exp / root.exp) for p in found if (p.exp / root.exp).is_Integer}


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
    """Whether a term is rational in what `where` does not guard."""
    return not term.has(Where, *GROWING)


def unwritten(spec: OpSpec) -> OpSpec:
    """`spec` without the extents that an index takes by itself."""
    extents = extents_of(spec)
    stages: list[Stage] = []
    for stage in spec.stages:

        def short(bound: Bound, stage: Stage = stage) -> Bound:
            alone = extents.every(bound.name, stage)
            found = alone or [e for e in (extents.leading(bound.name, stage),) if e is not None]
            wanted = extents.extent(bound.name, bound.extent, stage) if bound.extent is not None else None
            return Bound(bound.name) if found and all(e == wanted for e in found) else bound

        targets = tuple(replace(t, bounds=tuple(map(short, t.bounds))) for t in stage.targets)
        how = (
            replace(stage.how, over=tuple(map(short, stage.how.over)))
            if isinstance(stage.how, Reduction)
            else stage.how
        )
        stages.append(replace(stage, targets=targets, how=how))
    return replace(spec, stages=tuple(stages))


def names_of(stage: Stage) -> tuple[str, ...]:
    return tuple(b.name for b in stage.targets[0].bounds)


def walk_reads(scalar: Scalar) -> Iterator[Read]:
    if isinstance(scalar, Read):
        yield scalar
        return
    for inner in operands(scalar):
        yield from walk_reads(inner)


def live(spec: OpSpec) -> OpSpec:
    """`spec` without stages that no output needs."""
    needed = set(spec.outputs)
    kept: list[Stage] = []
    for stage in reversed(spec.stages):
        if not needed & {t.name for t in stage.targets}:
            continue
        kept.append(stage)
        for value in (*stage.values, *((stage.how.starts or ()) if isinstance(stage.how, Scan) else ())):
            needed |= tensors(value)
    return replace(spec, stages=tuple(reversed(kept)))
