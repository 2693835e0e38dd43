"""Arguments to try an op with: sizes for its axes, then numbers, the same for the same seed.

draw(spec, Hints(sizes={"h": "g"}), random, [2, 3, 5])        # {"q": array, "scale": 0.6, ...}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from shaderdsl.spec.leading import specialise
from shaderdsl.spec.notation import Dtype, Index, Operation, Operator, OpSpec, Read, Scalar, ScalarInput, TensorInput
from shaderdsl.spec.rewrite import subscalars

Array = npt.NDArray[Any]
LEADING = 1
"""Axes that stand for `...`."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What a formula does not say of its arguments.

    sizes: what an axis is a multiple of, a number or another axis. same: axes as long as another. below: the first whole number that
    an integer tensor never holds, a number, an axis or an axis `+ 1`. positive: inputs of positive numbers. tied: inputs
    that are also tried with two equal neighbours. spread: how wide inputs are drawn. single: what float32 may be off
    at hostile numbers. within: the largest of those that an input takes. identities:
    what algebra shows of the backward, by the names of `shaderdsl.testing.identities`. guessed: nobody gave them.
    """

    scalars: Mapping[str, float] = field(default_factory=dict[str, float])
    sizes: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    below: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    positive: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    spread: Mapping[str, float] = field(default_factory=dict[str, float])
    single: float = 1e-3
    within: Mapping[str, float] = field(default_factory=dict[str, float])
    identities: tuple[str, ...] = ()
    guessed: bool = False


def plain(spec: OpSpec, fixed: Mapping[str, Any] | None = None) -> OpSpec:
    """The spec with one axis for each `...`, or as many as the given arrays have."""
    ranks = {i.name: len(i.axes) + LEADING * i.leading for i in spec.inputs if isinstance(i, TensorInput)}
    return specialise(spec, ranks | {n: np.ndim(a) for n, a in (fixed or {}).items()})


def guessed(spec: OpSpec, scalars: Mapping[str, float] | None = None) -> Hints:
    """Hints from the formula alone: whole numbers that choose a row, or are compared with an index, are below its axis."""
    axes = {i.name: i.axes for i in spec.inputs if isinstance(i, TensorInput)}
    below: dict[str, int | str] = {}
    for part in (s for stage in spec.stages for v in stage.values for s in subscalars(v)):
        if isinstance(part, Read):
            for axis, index in zip(axes.get(part.tensor, ()), part.indices):
                if axis is not None and isinstance(index, Read) and index.tensor in axes:
                    below[index.tensor] = axis
        if isinstance(part, Operation) and part.operator is Operator.EQ:
            found = compared(part.arguments, axes)
            if found is not None:
                below.setdefault(*found)
    return Hints(scalars or {}, below=below, guessed=True)


def compared(sides: Sequence[Scalar], axes: Mapping[str, tuple[str | None, ...]]) -> tuple[str, str] | None:
    """The tensor of a comparison with an index, and the axis of that index."""
    named = {a for names in axes.values() for a in names}
    for one, other in (sides, reversed(sides)):
        if isinstance(one, Read) and isinstance(other, Index) and one.tensor in axes and other.name in named:
            return one.tensor, other.name
    return None


def axis_sizes(
    spec: OpSpec, hints: Hints, extents: Sequence[int], fixed: Mapping[str, Any] | None = None
) -> dict[str, int]:
    """A size for each named axis: that of a given array, else the extents in turn, made to fit the hints."""
    tensors = [i for i in spec.inputs if isinstance(i, TensorInput)]
    names = [a for i in tensors for a in i.axes if a is not None]
    found = {name: extents[n % len(extents)] for n, name in enumerate(dict.fromkeys(names))}
    for name, of in hints.sizes.items():
        found[name] *= found[of] if isinstance(of, str) else of
    found |= {name: found[of] for name, of in hints.same.items()}
    for given in tensors:
        if fixed is not None and given.name in fixed:
            found |= {a: n for a, n in zip(given.axes, np.shape(fixed[given.name])) if a is not None}
    return found


def limit(below: int | str, sizes: Mapping[str, int]) -> int:
    """The bound that a hint says."""
    if isinstance(below, int):
        return below
    axis, _, more = below.partition(" + ")
    return sizes[axis] + int(more or 0)


def draw(
    spec: OpSpec,
    hints: Hints,
    random: np.random.Generator,
    extents: Sequence[int],
    fixed: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """An argument for each input that is not given: normal numbers that float32 holds, whole ones from 0 on."""
    sizes = axis_sizes(spec, hints, extents, fixed)
    found: dict[str, Any] = {}
    for given in spec.inputs:
        whole = given.dtype is not Dtype.F32
        if fixed is not None and given.name in fixed:
            found[given.name] = fixed[given.name]
            continue
        if isinstance(given, ScalarInput):
            found[given.name] = hints.scalars.get(given.name, 1 if whole else 0.75)
            continue
        shape = tuple(sizes[a] if a is not None else extents[0] for a in given.axes)
        if whole:
            found[given.name] = random.integers(0, limit(hints.below.get(given.name, 2), sizes), shape)
        else:
            numbers = normal(random, shape) * hints.spread.get(given.name, 1.0)
            found[given.name] = np.abs(numbers) + 0.5 if given.name in hints.positive else numbers
    return found


def normal(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Normal numbers in steps of 1/4096, which float32 holds also after a shift."""
    return np.asarray(np.rint(random.normal(size=shape) * 4096) / 4096)
