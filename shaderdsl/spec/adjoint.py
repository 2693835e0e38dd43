"""The adjoint of one stage: what each tensor it reads gains from the stage's gradient.

    y[i] = sum(j) f(reads)      the gradient of a read gains  d_y[i] * df/d(read), transposed to the tensor's own indices

sympy differentiates f with respect to each read; `transpose` turns the indices around.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from shaderdsl.errors import InternalError
from shaderdsl.spec.bridge import Bridge
from shaderdsl.spec.notation import (
    Bound,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    Scan,
    Stage,
    Target,
)
from shaderdsl.spec.real import sympy
from shaderdsl.spec.rewrite import reads, subscalars, substituted
from shaderdsl.spec.transpose import guarded, transpose

ONE, ZERO = Number(1), Number(0)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a tensor's gradient gains at `keys`: the sum of `value` over `over`."""

    tensor: str
    keys: tuple[str, ...]
    value: Scalar
    over: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class Adjoint:
    """The contributions of a stage, and helper stages that they read (counts of ties, products before and after)."""

    contributions: tuple[Contribution, ...]
    helpers: tuple[Stage, ...]


def gradient_name(name: str) -> str:
    return f"d_{name}"


def adjoint(
    stage: Stage,
    bounds: dict[str, Scalar],
    tensors: dict[str, tuple[Scalar, ...]],
    wanted: frozenset[str],
    keys: dict[str, tuple[str, ...]],
    outer: Callable[[str], str],
) -> Adjoint:
    """The adjoint of a map or a reduction.

    bounds: extents of its indices. tensors: extents of what it reads. wanted: tensors whose gradient somebody needs. keys: the names of
    their indices in derived stages. outer: the tensor that holds the gradient of a target.
    """
    target = stage.targets[0]
    own = Read(target.name, tuple(Index(b.name) for b in target.bounds))
    gradient = Read(outer(target.name), own.indices)
    weights, helpers = weight(stage, own, bounds)
    bridge = Bridge()
    value = bridge.term(stage.values[0])
    found: list[Contribution] = []
    for read in reads(stage.values[0]):
        if read.tensor not in wanted:
            continue
        slope = bridge.scalar(sympy.factor_terms(value.diff(bridge.leaf(read))))
        if slope == ZERO:
            continue
        integrand = times(times(gradient, slope), weights)
        found.append(turned(read, integrand, stage, bounds, tensors[read.tensor], keys[read.tensor]))
    return Adjoint(tuple(found), tuple(helpers) if found else ())


def times(left: Scalar, right: Scalar) -> Scalar:
    if left == ONE:
        return right
    return left if right == ONE else Operation(Operator.MUL, (left, right))


def turned(
    read: Read,
    integrand: Scalar,
    stage: Stage,
    bounds: dict[str, Scalar],
    extents: tuple[Scalar, ...],
    keys: tuple[str, ...],
) -> Contribution:
    """An integrand over the stage's indices as a contribution over the tensor's."""
    primed = {name: f"{name}'" for name in bounds}
    rename: dict[str, Scalar] = {name: Index(new) for name, new in primed.items()}
    summed = frozenset(primed[b.name] for b in stage.how.over) if isinstance(stage.how, Reduction) else frozenset[str]()
    inner = {primed[n]: substituted(e, rename) for n, e in bounds.items()}
    moved = substituted(read, rename)
    if not isinstance(moved, Read):
        raise AssertionError
    solution = transpose(moved, inner, summed, keys, extents)
    value = solution.apply(substituted(integrand, rename))
    conditions = [*solution.conditions, *(solution.implied if fragile(value) else [])]
    return plain_names(Contribution(read.tensor, keys, guarded(value, conditions), tuple(solution.over)))


def plain_names(found: Contribution) -> Contribution:
    """Summed indices by the names they had, where the keys leave them free."""
    taken = set(found.keys)
    rename: dict[str, Scalar] = {}
    over: list[Bound] = []
    for bound in found.over:
        base = bound.name.replace("'", "")
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}{number}"
        taken.add(name)
        rename[bound.name] = Index(name)
        over.append(Bound(name, bound.extent))
    return Contribution(found.tensor, found.keys, substituted(found.value, rename), tuple(over))


FRAGILE = frozenset({"log", "sqrt", "rsqrt", "pow", "atan2", "acosh", "atanh", "asin", "acos"})


def fragile(value: Scalar) -> bool:
    """Whether zeros read out of range could make something infinite."""
    return any(
        (isinstance(s, Operation) and s.operator in (Operator.DIV, Operator.POW))
        or (isinstance(s, Function) and s.name in FRAGILE)
        for s in subscalars(value)
    )


def weight(stage: Stage, own: Read, bounds: dict[str, Scalar]) -> tuple[Scalar, list[Stage]]:
    """The derivative of the reduction by its integrand, with the helper stages that it reads."""
    how = stage.how
    if not isinstance(how, Reduction):
        return ONE, []
    value = stage.values[0]
    match how.kind:
        case ReductionKind.SUM:
            return ONE, []
        case ReductionKind.MEAN:
            return Operation(Operator.DIV, (ONE, product([bounds[b.name] for b in how.over]))), []
        case ReductionKind.MAX | ReductionKind.MIN:
            return shared_by_ties(stage, how, own, value)
        case ReductionKind.PROD:
            return product_of_others(stage, how, own, bounds)
        case _:
            assert_never(how.kind)


def product(parts: list[Scalar]) -> Scalar:
    result: Scalar = ONE
    for part in parts:
        result = times(result, part)
    return result


def shared_by_ties(stage: Stage, how: Reduction, own: Read, value: Scalar) -> tuple[Scalar, list[Stage]]:
    """Elements that reach the maximum share its gradient equally."""
    name = f"ties_{own.tensor}"
    hit = Operation(Operator.EQ, (value, own))
    ties = Stage(
        (Target(name, stage.targets[0].bounds),), Reduction(ReductionKind.SUM, how.over), (where(hit, ONE, ZERO),)
    )
    share = Operation(Operator.DIV, (ONE, Read(name, own.indices)))
    return where(hit, share, ZERO), [ties]


def product_of_others(stage: Stage, how: Reduction, own: Read, bounds: dict[str, Scalar]) -> tuple[Scalar, list[Stage]]:
    """The product of the other factors, those before times those after: nothing is divided, so zeros are right in all derivatives."""
    value, along = stage.values[0], how.over[0].name
    axes = tuple(Bound(b.name, bounds[b.name]) for b in (*stage.targets[0].bounds, *how.over))
    parts: list[Scalar] = []
    scans: list[Stage] = []
    for word, operator in (("before", Operator.SUB), ("after", Operator.ADD)):
        name = f"{word}_{own.tensor}"
        beside: dict[str, Scalar] = {along: Operation(operator, (Index(along), ONE))}
        carried = substituted(Read(name, tuple(Index(b.name) for b in axes)), beside)
        factor = substituted(value, beside)
        if not isinstance(factor, Read):
            raise InternalError(f"{own.tensor} is a product of what has no name")
        step = Operation(Operator.MUL, (carried, replace(factor, fill=ONE)))
        scans.append(Stage((Target(name, axes),), Scan(along, word == "after", (ONE,)), (step,)))
        parts.append(Read(name, tuple(Index(b.name) for b in axes)))
    return product(parts), scans


def where(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    return Function("where", (condition, a, b))
