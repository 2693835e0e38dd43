"""Walks over formulas: what a scalar reads, and the same scalar with other leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from shaderdsl.spec.notation import Function, Index, Operation, Parameter, Read, Scalar, Scan, Size, Stage, operands


def subscalars(scalar: Scalar) -> Iterator[Scalar]:
    """`scalar` and everything under it, outside in."""
    stack = [scalar]
    while stack:
        current = stack.pop()
        yield current
        stack += reversed(operands(current))


def rebuilt(scalar: Scalar, rewrite: Callable[[Scalar], Scalar]) -> Scalar:
    """`scalar` with `rewrite` applied to what stands directly under it."""
    match scalar:
        case Read(_, indices, fill):
            return replace(scalar, indices=tuple(map(rewrite, indices)), fill=None if fill is None else rewrite(fill))
        case Operation(_, arguments) | Function(_, arguments):
            return replace(scalar, arguments=tuple(map(rewrite, arguments)))
        case _:
            return scalar


def substituted(scalar: Scalar, indices: Mapping[str, Scalar]) -> Scalar:
    """`scalar` with indices replaced."""
    if isinstance(scalar, Index):
        return indices.get(scalar.name, scalar)
    return rebuilt(scalar, lambda inner: substituted(inner, indices))


def retargeted(scalar: Scalar, names: Mapping[str, str]) -> Scalar:
    """`scalar` reading other tensors, by the names of those it read."""
    inner = rebuilt(scalar, lambda part: retargeted(part, names))
    return replace(inner, tensor=names.get(inner.tensor, inner.tensor)) if isinstance(inner, Read) else inner


def with_scalars(stage: Stage, change: Callable[[Scalar], Scalar]) -> Stage:
    """A stage with its values, and what a scan starts from, changed."""
    how = stage.how
    if isinstance(how, Scan) and how.starts is not None:
        how = replace(how, starts=tuple(map(change, how.starts)))
    return replace(stage, how=how, values=tuple(map(change, stage.values)))


def mapped(scalar: Scalar, leaf: Callable[[Scalar], Scalar | None]) -> Scalar:
    """`scalar` with every part for which `leaf` gives something replaced by it, outside in."""
    found = leaf(scalar)
    return found if found is not None else rebuilt(scalar, lambda inner: mapped(inner, leaf))


def reads(scalar: Scalar) -> list[Read]:
    """The distinct reads in the scalar's own expression, in order; reads inside other reads' indices and fills are not among them."""
    found: dict[Read, None] = {}

    def visit(part: Scalar) -> None:
        if isinstance(part, Read):
            found.setdefault(part)
            if part.fill is not None:
                visit(part.fill)
            return
        for inner in operands(part):
            visit(inner)

    visit(scalar)
    return list(found)


def index_names(scalar: Scalar) -> set[str]:
    """Indices of the stage that occur in a scalar, as numbers or inside reads."""
    return {s.name for s in subscalars(scalar) if isinstance(s, Index)}


def tensors(scalar: Scalar) -> set[str]:
    """Every tensor that a scalar reads, gathers included."""
    return {s.tensor for s in subscalars(scalar) if isinstance(s, Read)}


def parameters(scalar: Scalar) -> set[str]:
    return {s.name for s in subscalars(scalar) if isinstance(s, Parameter)}


def sizes(scalar: Scalar) -> set[str]:
    return {s.name for s in subscalars(scalar) if isinstance(s, Size)}
