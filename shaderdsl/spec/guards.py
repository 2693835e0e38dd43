"""What guards what may be infinite: a shorter form may be taken only if it leaves nothing bare that had a guard.

where(c, d / s, 0)      may not be     where(c, d, 0) / s,     which is 0 / 0 where s is 0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from shaderdsl.spec.notation import (
    Bound,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Read,
    Scalar,
    Size,
    operands,
)
from shaderdsl.spec.rewrite import subscalars, substituted

OPPOSITES = {
    Operator.EQ: Operator.NE,
    Operator.NE: Operator.EQ,
    Operator.LT: Operator.GE,
    Operator.GE: Operator.LT,
    Operator.GT: Operator.LE,
    Operator.LE: Operator.GT,
}
Infinity: TypeAlias = tuple[Scalar, frozenset[Scalar]]
"""What may be infinite, and the conditions under which it is asked for."""
GROWING = frozenset({"exp", "exp2", "expm1", "exprel", "sinh", "cosh", "tan"})
SINGULAR = frozenset({"log", "log2", "log1p", "rsqrt", "pow", "atan2", "acosh", "atanh", "asin", "acos"})


def guarded(spec: OpSpec) -> bool:
    """Whether a formula has conditions."""
    return any(
        isinstance(p, Function) and p.name == "where" for s in spec.stages for v in s.values for p in subscalars(v)
    )


def infinities(spec: OpSpec, outputs: Sequence[str]) -> set[Infinity]:
    """All that may be infinite in these stages, and in what they read."""
    found: dict[str, set[Infinity]] = {}
    for stage in spec.stages:
        inner = {i for v in stage.values for i in within(v, frozenset(), found)}
        found |= {t.name: {at_indices(i, t.bounds) for i in inner} for t in stage.targets}
    return {i for name in outputs for i in found[name]}


def within(scalar: Scalar, conditions: frozenset[Scalar], known: Mapping[str, set[Infinity]]) -> Iterator[Infinity]:
    """What may be infinite in a scalar that is asked for under these conditions. known: the same for the tensors that it reads."""
    match scalar:
        case Function("where", (condition, yes, no)):
            yield from within(condition, conditions, known)
            yield from within(yes, conditions | holding(condition), known)
            yield from within(no, conditions | {opposite(condition)}, known)
            return
        case Operation(Operator.DIV, (_, below)) if not isinstance(below, Number | Size):
            yield below, conditions
        case Function(name) if name in GROWING or name in SINGULAR:
            yield scalar, conditions
        case Read(tensor, indices):
            places = {f"{n}'": index for n, index in enumerate(indices)}
            for what, under in known.get(tensor, ()):
                yield substituted(what, places), conditions | {substituted(c, places) for c in under}
        case _:
            pass
    for inner in operands(scalar):
        yield from within(inner, conditions, known)


def at_indices(found: Infinity, bounds: tuple[Bound, ...]) -> Infinity:
    """What may be infinite, by the numbers of a tensor's indices instead of their names."""
    what, under = found
    places: dict[str, Scalar] = {b.name: Index(f"{n}'") for n, b in enumerate(bounds)}
    return substituted(what, places), frozenset(substituted(c, places) for c in under)


def holding(condition: Scalar) -> frozenset[Scalar]:
    """The conditions that all hold where one does."""
    match condition:
        case Operation(Operator.AND, (left, right)):
            return holding(left) | holding(right)
        case Operation(Operator.NOT, (inner,)):
            return frozenset({opposite(inner)})
        case _:
            return frozenset({condition})


def opposite(condition: Scalar) -> Scalar:
    """What is asked where a condition does not hold, in one spelling."""
    if isinstance(condition, Operation) and condition.operator in OPPOSITES:
        return Operation(OPPOSITES[condition.operator], condition.arguments)
    return Operation(Operator.NOT, (condition,))


def covered(found: set[Infinity], safe: set[Infinity]) -> bool:
    """Whether everything that may be infinite was so before, under no more conditions."""
    return all(any(what == before and had <= conditions for before, had in safe) for what, conditions in found)
