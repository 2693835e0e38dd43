"""Copies that need not be made: a stage that only reads one tensor elsewhere is read through.

    t[i, j] = x[j, i]
    y[i, j] = t[i, j] + t[j, i]         # y[i, j] = x[j, i] + x[i, j]: transposes, slices, splits of heads, broadcasts

A read goes through where its position surely lies inside the copy; a copy that is itself a result stays, and is read through all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shaderdsl.errors import InternalError
from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.sharing import live, retargeted
from shaderdsl.spec.affine import simplified, span
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.notation import Index, Read, Scalar, Stage
from shaderdsl.spec.rewrite import rebuilt, subscalars, substituted, with_scalars


def without_copies(flat: Flat) -> Flat:
    """The graph with copies read through."""
    copies: dict[str, Stage] = {}
    stages: list[Stage] = []
    for stage in flat.spec.stages:
        reader = through(stage, copies, flat)
        stages.append(reader)
        if copied(reader, flat) is not None:
            copies[reader.targets[0].name] = reader
    return live(retargeted(flat, stages, whole_copies(copies, flat)))


def copied(stage: Stage, flat: Flat) -> Read | None:
    """What a stage copies, if it only does that, and changes no type."""
    value = stage.values[0]
    if stage.how is not None or not isinstance(value, Read):
        return None
    same = flat.dtypes[value.tensor] is flat.dtypes[stage.targets[0].name]
    gathers = any(isinstance(p, Read) for i in value.indices for p in subscalars(i))
    return value if same and not gathers else None


def through(stage: Stage, copies: Mapping[str, Stage], flat: Flat) -> Stage:
    """A stage that reads what its copies were made of."""
    own = extents(stage)

    def read(scalar: Scalar) -> Scalar:
        inner = rebuilt(scalar, read)
        if not isinstance(inner, Read) or inner.tensor not in copies:
            return inner
        copy = copies[inner.tensor]
        if surely_inside(inner, flat.shapes[inner.tensor], own):
            return moved(copy, inner, own)
        return replace(moved(copy, inner, own), fill=inner.fill) if as_outside(copy, inner, flat, own) else inner

    return with_scalars(stage, read)


def surely_inside(read: Read, shape: tuple[int, ...], own: Mapping[str, int]) -> bool:
    """Whether every position of a read lies in its axis."""
    spans = [span(i, own) for i in read.indices]
    return all(s is not None and s[0] >= 0 and s[1] < size for s, size in zip(spans, shape))


def as_outside(copy: Stage, read: Read, flat: Flat, own: Mapping[str, int]) -> bool:
    """Whether what lies outside a copy lies outside its tensor too, and nothing else does: then the read's own fill stands there."""
    source = copy.values[0]
    if not isinstance(source, Read):
        return False
    shape = flat.shapes[source.tensor]
    if not surely_inside(source, shape, extents(copy)):
        return False
    axes = {i.name: size for i, size in zip(source.indices, shape) if isinstance(i, Index)}
    spans = [span(i, own) for i in read.indices]
    sizes = flat.shapes[read.tensor]
    return all(
        (s is not None and s[0] >= 0 and s[1] < size) or axes.get(b.name) == size
        for s, size, b in zip(spans, sizes, copy.targets[0].bounds)
    )


def moved(copy: Stage, read: Read, own: Mapping[str, int]) -> Read:
    """A read of a copy as the read that the copy makes there."""
    at = {b.name: i for b, i in zip(copy.targets[0].bounds, read.indices)}
    found = substituted(copy.values[0], at)
    if not isinstance(found, Read):
        raise InternalError(f"{copy.targets[0].name} is no copy")
    return replace(found, indices=tuple(simplified(i, own) for i in found.indices))


def whole_copies(copies: Mapping[str, Stage], flat: Flat) -> dict[str, str]:
    """Copies that are their tensor over again, element for element, and no result of their own memory is asked for."""
    found: dict[str, str] = {}
    inputs = {i.name for i in flat.spec.inputs}
    for name, stage in copies.items():
        value = stage.values[0]
        if isinstance(value, Read) and flat.shapes[name] == flat.shapes[value.tensor] and value.tensor not in inputs:
            plain = tuple(b.name for b in stage.targets[0].bounds)
            if tuple(getattr(i, "name", None) for i in value.indices) == plain:
                found[name] = found.get(value.tensor, value.tensor)
    return found
