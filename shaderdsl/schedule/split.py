"""Stages that read more arrays than a kernel may bind: parts of their expressions become arrays of their own.

narrowed(space)     # the space of a stage that fits, after the parts in order

A part is an expression that reads nothing of the stage itself, over the indices that it uses. The one that leaves the fewest arrays comes first.
In a scan, terms and factors that read nothing of it are brought together before: a * h + b + c * k becomes a * h + (b + c * k).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from shaderdsl.errors import LimitError
from shaderdsl.schedule.sizes import Extent, Lead, Space, Tensor
from shaderdsl.spec.axes import indices_of, walk
from shaderdsl.spec.dtypes import kind_of
from shaderdsl.spec.notation import Function, Index, Operation, Operator, Read, Scalar, Scan, Stage
from shaderdsl.spec.print import format_scalar

BINDINGS = 8
"""Storage buffers of a kernel, by WebGPU's portable limit."""


@dataclass(frozen=True, slots=True)
class Part:
    """An expression that is computed ahead, in the space where its own parts are known."""

    space: Space
    made: Tensor
    indices: tuple[str, ...]
    value: Scalar


def narrowed(space: Space) -> tuple[tuple[Part, ...], Space]:
    """The parts of a stage, none where it fits as it is, and the space of what is left."""
    parts: list[Part] = []
    if len(arrays_of(space.stage)) + len(space.stage.targets) > BINDINGS:
        space = grouped(space)
    while len(arrays_of(space.stage)) + len(space.stage.targets) > BINDINGS:
        part = next_part(space, len(parts) + 1)
        parts.append(part)
        space = without(space, part)
    return tuple(parts), space


def arrays_of(stage: Stage, values: Sequence[Scalar] | None = None) -> frozenset[str]:
    """What a stage reads and does not make."""
    starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
    own = {t.name for t in stage.targets}
    return frozenset(n for v in (*starts, *(stage.values if values is None else values)) for n in arrays_in(v)) - own


def arrays_in(scalar: Scalar) -> frozenset[str]:
    return frozenset(p.tensor for p in walk(scalar) if isinstance(p, Read))


def next_part(space: Space, number: int) -> Part:
    """The expression whose array takes the place of the most others."""
    stage = space.stage
    best: tuple[int, int, Scalar] | None = None
    for candidate in candidates(space):
        left = [exchanged(v, format_scalar(candidate), PLACEHOLDER) for v in stage.values]
        key = (len(arrays_of(stage, left)), -len(arrays_in(candidate)))
        if best is None or key < best[:2]:
            best = (*key, candidate)
    if best is None:
        name, count = stage.targets[0].name, len(arrays_of(stage)) + len(stage.targets)
        raise LimitError(
            f"{name} reads and writes {count} arrays, a kernel binds {BINDINGS}",
            hints=["name a stage for a part of it"],
        )
    value, indices = best[2], used_indices(stage, best[2])
    leads = tuple(Lead(space.number, p) for p in range(space.lead))
    axes = (*leads, *(Extent(space.number, n) for n in indices))
    kind = kind_of(value, space.dtypes)
    made = Tensor(f"{stage.targets[0].name}_part_{number}", kind or space.dtypes[stage.targets[0].name], axes)
    return Part(space, made, indices, value)


PLACEHOLDER = Read("a part", ())


def candidates(space: Space) -> Iterator[Scalar]:
    """Typed expressions that read several arrays, as many as fit, and nothing that the stage makes."""
    own = {t.name for t in space.stage.targets}
    for value in space.stage.values:
        for part in outer_parts(value):
            arrays = arrays_in(part)
            fits = isinstance(part, Operation | Function) and 2 <= len(arrays) < BINDINGS
            if fits and not arrays & own and kind_of(part, space.dtypes) is not None:
                yield part


def outer_parts(scalar: Scalar) -> Iterator[Scalar]:
    """An expression and those under it, outside of indices and fills."""
    stack = [scalar]
    while stack:
        last = stack.pop()
        yield last
        if isinstance(last, Operation | Function):
            stack += last.arguments


def used_indices(stage: Stage, scalar: Scalar) -> tuple[str, ...]:
    used = {p.name for p in walk(scalar) if isinstance(p, Index)}
    return tuple(n for n in indices_of(stage) if n in used)


def grouped(space: Space) -> Space:
    """The space of a stage whose sums and products keep apart what reads the stage itself."""
    own = frozenset(t.name for t in space.stage.targets)
    return with_values(space, tuple(apart(v, own) for v in space.stage.values))


def apart(scalar: Scalar, own: frozenset[str]) -> Scalar:
    """A sum or product with the operands that read none of `own` brought together."""
    if not arrays_in(scalar) & own:
        return scalar
    for operator in (Operator.ADD, Operator.MUL):
        operands = chain(scalar, operator)
        if len(operands) > 1:
            free = [o for o in operands if not arrays_in(o) & own]
            bound = [apart(o, own) for o in operands if arrays_in(o) & own]
            together = [*bound, *([joined(free, operator)] if free else [])]
            return joined(together, operator)
    return scalar


def chain(scalar: Scalar, operator: Operator) -> list[Scalar]:
    """The operands of nested sums, or of nested products; a difference is a sum."""
    match scalar:
        case Operation(found, (left, right)) if found is operator:
            return [*chain(left, operator), *chain(right, operator)]
        case Operation(Operator.SUB, (left, right)) if operator is Operator.ADD:
            negated: list[Scalar] = [Operation(Operator.NEG, (r,)) for r in chain(right, operator)]
            return [*chain(left, operator), *negated]
        case _:
            return [scalar]


def joined(operands: Sequence[Scalar], operator: Operator) -> Scalar:
    return reduce(lambda left, right: Operation(operator, (left, right)), operands)


def with_values(space: Space, values: tuple[Scalar, ...]) -> Space:
    stage = replace(space.stage, values=values)
    stages = (*space.spec.stages[: space.number], stage, *space.spec.stages[space.number + 1 :])
    return replace(space, spec=replace(space.spec, stages=stages))


def without(space: Space, part: Part) -> Space:
    """The space with the part's array read where its expression stood."""
    read = Read(part.made.name, tuple(Index(n) for n in part.indices), None, space.lead > 0)
    text = format_scalar(part.value)
    return replace(
        with_values(space, tuple(exchanged(v, text, read) for v in space.stage.values)),
        tensors={**space.tensors, part.made.name: part.made},
        dtypes={**space.dtypes, part.made.name: part.made.dtype},
    )


def exchanged(scalar: Scalar, text: str, read: Read) -> Scalar:
    """An expression with `read` for every part of that text, outside of indices and fills."""
    match scalar:
        case Operation(operator, arguments):
            if format_scalar(scalar) == text:
                return read
            return Operation(operator, tuple(exchanged(a, text, read) for a in arguments))
        case Function(_, arguments):
            if format_scalar(scalar) == text:
                return read
            return replace(scalar, arguments=tuple(exchanged(a, text, read) for a in arguments))
        case _:
            return scalar
