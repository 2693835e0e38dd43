"""One spec inside another: its stages under fresh names, its inputs replaced by the caller's tensors and scalars.

inline(softmax, ("p",), {"x": "scores"}, taken, None).stages     # p_m, p_e, p_s and p
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from shaderdsl.source import Span
from shaderdsl.spec.axes import Axis, extents_of, indices_of, named_axis, sizes_in, written
from shaderdsl.spec.equal_axes import named_alike
from shaderdsl.spec.notation import (
    Bound,
    Function,
    Index,
    Number,
    Operation,
    OpSpec,
    Parameter,
    Read,
    Reduction,
    Scalar,
    Scan,
    Size,
    Stage,
    Target,
)


@dataclass(frozen=True, slots=True)
class Inlined:
    """sizes: names that the stage of that number takes the size of, with the axis that is meant. alike: axes of one name in the callee."""

    stages: tuple[Stage, ...]
    saved: tuple[str, ...]
    sizes: tuple[tuple[str, int, Axis], ...]
    alike: tuple[tuple[Axis, Axis], ...]


def inline(
    callee: OpSpec,
    targets: tuple[str, ...],
    bound: Mapping[str, str | Scalar],
    taken: Collection[str],
    span: Span | None,
) -> Inlined:
    """The callee's stages for these inputs, its outputs under the names of `targets`."""
    names: dict[str, str | Scalar] = dict(bound)
    names |= dict(zip(callee.outputs, targets))
    used = {*taken, *targets}
    for stage in callee.stages:
        for target in stage.targets:
            if target.name not in names:
                fresh = fresh_name(f"{targets[0]}_{target.name}", used)
                names[target.name] = fresh
                used.add(fresh)
    stages = tuple(replace(renamed_stage(s, names), span=span) for s in callee.stages)
    saved = tuple(n for n in (names[s] for s in callee.saved) if isinstance(n, str))
    return Inlined(stages, saved, tuple(foreign_sizes(callee, names)), tuple(passed_alike(callee, names)))


def fresh_name(name: str, used: Collection[str]) -> str:
    """The name, or the first of name_2, name_3 ... that is free."""
    number, found = 1, name
    while found in used:
        number += 1
        found = f"{name}_{number}"
    return found


def foreign_sizes(callee: OpSpec, names: Mapping[str, str | Scalar]) -> Iterator[tuple[str, int, Axis]]:
    """The sizes in a callee that are of no index of their stage, or stand in an extent."""
    for number, stage in enumerate(callee.stages):
        own = indices_of(stage)
        wanted = [n for n in sizes_in(written(stage)) if n not in own]
        wanted += [n for n in sizes_in(extents_of(stage)) if own.get(n) is not None]
        for name in dict.fromkeys(wanted):
            axis = named_axis(callee.inputs, callee.stages[:number], name)
            tensor = names[axis.tensor] if axis is not None else None
            if axis is not None and isinstance(tensor, str):
                yield name, number, Axis(tensor, axis.position)


def passed_alike(callee: OpSpec, names: Mapping[str, str | Scalar]) -> Iterator[tuple[Axis, Axis]]:
    """The axes that the callee gives one name, as the caller's."""
    for _, first, other in named_alike(callee.inputs):
        yield (
            Axis(tensor_name(names, first.tensor), first.position),
            Axis(tensor_name(names, other.tensor), other.position),
        )


def renamed_stage(stage: Stage, names: Mapping[str, str | Scalar]) -> Stage:
    """A stage whose tensors and parameters are the caller's."""
    targets = tuple(
        Target(tensor_name(names, t.name), renamed_bounds(t.bounds, names), t.leading) for t in stage.targets
    )
    values = tuple(renamed(v, names) for v in stage.values)
    match stage.how:
        case None:
            return Stage(targets, None, values)
        case Reduction(kind, over):
            return Stage(targets, Reduction(kind, renamed_bounds(over, names)), values)
        case Scan(index, backwards, starts):
            begun = tuple(renamed(s, names) for s in starts) if starts is not None else None
            return Stage(targets, Scan(index, backwards, begun), values)
        case _:
            assert_never(stage.how)


def renamed_bounds(bounds: tuple[Bound, ...], names: Mapping[str, str | Scalar]) -> tuple[Bound, ...]:
    return tuple(Bound(b.name, renamed(b.extent, names) if b.extent is not None else None) for b in bounds)


def tensor_name(names: Mapping[str, str | Scalar], name: str) -> str:
    found = names[name]
    return found if isinstance(found, str) else name


def renamed(scalar: Scalar, names: Mapping[str, str | Scalar]) -> Scalar:
    """An expression with the caller's tensors for the callee's, and its scalars for parameters."""
    match scalar:
        case Number() | Index() | Size():
            return scalar
        case Parameter(name):
            found = names[name]
            return scalar if isinstance(found, str) else found
        case Read(tensor, indices, fill, leading):
            inner = tuple(renamed(i, names) for i in indices)
            return Read(tensor_name(names, tensor), inner, renamed(fill, names) if fill is not None else None, leading)
        case Operation(operator, arguments):
            return Operation(operator, tuple(renamed(a, names) for a in arguments))
        case Function(_, arguments):
            return replace(scalar, arguments=tuple(renamed(a, names) for a in arguments))
        case _:
            assert_never(scalar)
