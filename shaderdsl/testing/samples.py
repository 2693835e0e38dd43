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
from shaderdsl.spec.notation import Dtype, OpSpec, ScalarInput, TensorInput

Array = npt.NDArray[Any]
LEADING = 1
"""Axes that stand for `...`."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What a formula does not say of its arguments.

    sizes: what an axis is a multiple of, a number or another axis. same: axes as long as another. below: the first whole number that
    an integer tensor never holds, a number, an axis or an axis `+ 1`. positive: inputs of positive numbers. tied: inputs
    that are also tried with two equal neighbours. spread: how wide inputs are drawn.
    """

    scalars: Mapping[str, float] = field(default_factory=dict[str, float])
    sizes: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    below: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    positive: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    spread: Mapping[str, float] = field(default_factory=dict[str, float])


def plain(spec: OpSpec) -> OpSpec:
    """The spec with one axis for each `...`."""
    ranks = {i.name: len(i.axes) + LEADING * i.leading for i in spec.inputs if isinstance(i, TensorInput)}
    return specialise(spec, ranks)


def axis_sizes(spec: OpSpec, hints: Hints, extents: Sequence[int]) -> dict[str, int]:
    """A size for each named axis: the extents in turn, then made to fit the hints."""
    names = [a for i in spec.inputs if isinstance(i, TensorInput) for a in i.axes if a is not None]
    found = {name: extents[n % len(extents)] for n, name in enumerate(dict.fromkeys(names))}
    for name, of in hints.sizes.items():
        found[name] *= found[of] if isinstance(of, str) else of
    return found | {name: found[of] for name, of in hints.same.items()}


def limit(below: int | str, sizes: Mapping[str, int]) -> int:
    """The bound that a hint says."""
    if isinstance(below, int):
        return below
    axis, _, more = below.partition(" + ")
    return sizes[axis] + int(more or 0)


def draw(spec: OpSpec, hints: Hints, random: np.random.Generator, extents: Sequence[int]) -> dict[str, Any]:
    """An argument for each input: normal numbers, whole ones from 0 on."""
    sizes = axis_sizes(spec, hints, extents)
    found: dict[str, Any] = {}
    for given in spec.inputs:
        whole = given.dtype is not Dtype.F32
        if isinstance(given, ScalarInput):
            found[given.name] = hints.scalars.get(given.name, 1 if whole else 0.75)
            continue
        shape = tuple(sizes[a] if a is not None else extents[0] for a in given.axes)
        if whole:
            found[given.name] = random.integers(0, limit(hints.below.get(given.name, 2), sizes), shape)
        else:
            numbers: Array = random.normal(size=shape) * hints.spread.get(given.name, 1.0)
            found[given.name] = np.abs(numbers) + 0.3 if given.name in hints.positive else numbers
    return found
