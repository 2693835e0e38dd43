"""A derived spec made short, by the way that leaves the fewest operations.

    d_x[i, j] = y[i, j] * (d_y[i, j] - p[i])      p[i] = sum(j) d_y[i, j] * y[i, j]

What vanishes is proved first, as the gradient of softmax's maximum; it is not assumed. Then a few ways are tried and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from shaderdsl.spec.divisors import divisors
from shaderdsl.spec.finish import finished, live
from shaderdsl.spec.guards import covered, guarded, infinities
from shaderdsl.spec.notation import Function, Number, Operation, Operator, OpSpec, Read, Reduction, Scalar, operands
from shaderdsl.spec.proofs import proved_zero
from shaderdsl.spec.rewrite import tensors
from shaderdsl.spec.tidying import Tidying

MOST_WORK = 400
"""Stages that are tidied, over all ways."""


def tidy(spec: OpSpec, forward: OpSpec) -> OpSpec:
    """A derived spec made short. Conditions are numbers only where everything keeps its guard."""
    count = len(forward.stages)
    proved = proved_zero(spec, count, forward.outputs)

    def ways(*, guards: bool) -> list[OpSpec]:
        through = islice(reuses(spec, count), max(1, MOST_WORK // len(spec.stages)))
        starts = (Tidying(spec, count, forward.outputs, t, guards=guards, zero=proved) for t in through)
        return [way for start in starts for way in both(start)]

    found = ways(guards=False)
    if guarded(spec):
        safe = infinities(forward, forward.outputs).union(*(infinities(w, w.outputs) for w in found))
        found += [w for w in ways(guards=True) if covered(infinities(w, w.outputs), safe)]
    known = {t.name for s in spec.stages[:count] for t in s.targets}
    bars = divisors(found[0], known)
    return min((w for w in found if divisors(w, known) <= bars), key=lambda way: cost(way, known))


def both(first: Tidying) -> list[OpSpec]:
    """A spec with everything inlined, which shows what vanishes, and one where what several stages read is a stage of its own."""
    found = [finished(first.run(), first.spec)]
    shared = read_often(first.spec, first.count, first.zero)
    if shared:
        second = Tidying(
            first.spec, first.count, first.given, first.through, guards=first.guards, zero=first.zero, kept=shared
        )
        found.append(finished(second.run(), first.spec))
    return found


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
            for name in sorted(r.tensor for r in factors(stage.values[0]) if isinstance(r, Read)):
                inner = spec.stage_of(name)
                if inner is not None and inner.how is None:
                    yield {name: stage.targets[0].name}


def factors(scalar: Scalar) -> list[Scalar]:
    """The factors of a product, guarded or not, those above the bar of a quotient."""
    match scalar:
        case Operation(Operator.MUL, (left, right)):
            return [*factors(left), *factors(right)]
        case Operation(Operator.DIV, (above, _)):
            return factors(above)
        case Operation(Operator.NEG, (inner,)):
            return factors(inner)
        case Function("where", (_, chosen, Number(0))):
            return factors(chosen)
        case _:
            return [scalar]


def cost(spec: OpSpec, known: set[str]) -> tuple[int, int]:
    """Operations of the derived stages, weighted by how many indices they run over, then the number of all stages."""
    total = 0
    for stage in spec.stages:
        if stage.targets[0].name in known:
            continue
        width = len(stage.targets[0].bounds) + (len(stage.how.over) if isinstance(stage.how, Reduction) else 0)
        total += sum(3 + 3 * weight(v) for v in stage.values) * (1 + width)
    return total, len(spec.stages)


def weight(scalar: Scalar) -> int:
    inner = operands(scalar)
    return sum(map(weight, inner)) + (0 if isinstance(scalar, Read) or not inner else 1)
