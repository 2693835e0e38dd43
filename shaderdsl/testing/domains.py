"""Arguments for a formula that nobody gave hints for: drawn anew until the formula is finite there and has a derivative that rounding leaves alone.

    for point in points_within(spec, guessed(spec), seed=0): ...

Numbers come from families (any, positive, inside one, above one, and so on), whole numbers from those that no gather refuses, sizes from
several lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from shaderdsl.errors import LaunchError, ShaderError
from shaderdsl.spec.notation import Dtype, OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.points import EXTENTS, LOOSE, Point, point, weighted
from shaderdsl.testing.samples import Array, Hints, draw

GRID = 2.0**16
"""Numbers are odd multiples of half a step of this grid: none is 0, whole or a half, where kinks and jumps are."""
TRIES = 60
AROUND = 4
"""How far below 0 and above the largest size whole numbers are tried."""


def inside(x: Array) -> Array:
    return 0.9 * x / (1.0 + np.abs(x))


FAMILIES: tuple[Callable[[Array], Array], ...] = (
    lambda x: x,
    lambda x: np.abs(x) + 0.5,
    inside,
    lambda x: np.abs(x) + 1.5,
    lambda x: 0.5 + 0.5 * inside(x),
    lambda x: 0.25 * inside(x),
    lambda x: -np.abs(x) - 0.5,
    lambda x: np.abs(x) + 4.0,
    lambda x: -np.abs(x) - 1.5,
)
FLOATS = (0.75, 1.25, 0.5, 2.5, 0.0625, -0.75)
WHOLES = (1, 2, 3, 0, 4)


def points_within(
    spec: OpSpec,
    hints: Hints,
    seed: int,
    fixed: Mapping[str, Any] | None = None,
    lists: Sequence[Sequence[int]] = EXTENTS,
    *,
    truths: bool = True,
) -> list[Point]:
    """A point for each list of sizes that some arguments fit; a LaunchError where none fits any. truths: with true gradients."""
    found: list[Point] = []
    refusal: ShaderError | None = None
    for number, extents in enumerate(lists):
        random = np.random.default_rng((seed, number))
        try:
            found.append(next(candidates(spec, hints, random, extents, number, fixed or {}, truths=truths)))
        except StopIteration:
            continue
        except ShaderError as error:
            refusal = error
    if not found:
        raise nothing_fits(spec, refusal)
    return found


def nothing_fits(spec: OpSpec, refusal: ShaderError | None) -> LaunchError:
    notes = [] if refusal is None else [refusal.message]
    return LaunchError(
        f"no arguments were found at which {spec.name} and its derivative are finite",
        notes=notes,
        hints=["pass some by name, which are then not drawn"],
    )


def candidates(
    spec: OpSpec,
    hints: Hints,
    random: np.random.Generator,
    extents: Sequence[int],
    number: int,
    fixed: Mapping[str, Any],
    *,
    truths: bool,
) -> Iterator[Point]:
    """Points that are evidence, the simplest first."""
    refusal: ShaderError | None = None
    for attempt in range(TRIES):
        sizes = extents if attempt < TRIES // 2 else tuple(int(n) for n in random.integers(1, 9, 6))
        try:
            arguments = settled(spec, drawn(spec, hints, random, sizes, attempt, number, fixed), fixed, random)
            if not is_finite(spec, arguments):
                continue
            made = point(spec, arguments, random) if truths else weighted(spec, arguments, random)
            if sound(made):
                yield made
        except ShaderError as error:
            refusal = error
    if refusal is not None:
        raise refusal


def drawn(
    spec: OpSpec,
    hints: Hints,
    random: np.random.Generator,
    sizes: Sequence[int],
    attempt: int,
    number: int,
    fixed: Mapping[str, Any],
) -> dict[str, Any]:
    """Arguments of the attempt's families: first one for all, then one for each input."""
    found = draw(spec, hints, random, sizes, fixed)
    for given in spec.inputs:
        if given.name in fixed:
            continue
        if isinstance(given, ScalarInput):
            if given.name not in hints.scalars:
                found[given.name] = scalar(given, number + (0 if attempt < len(FAMILIES) else int(random.integers(6))))
        elif given.dtype is Dtype.F32:
            family = FAMILIES[attempt if attempt < len(FAMILIES) else int(random.integers(len(FAMILIES)))]
            found[given.name] = on_grid(family(random.normal(size=np.shape(found[given.name]))))
    return found


def scalar(given: ScalarInput, number: int) -> Any:
    """Another number for each point."""
    if given.dtype is Dtype.F32:
        return FLOATS[number % len(FLOATS)]
    return number % 2 == 0 if given.dtype is Dtype.BOOL else WHOLES[number % len(WHOLES)]


def on_grid(x: Array) -> Array:
    return np.asarray((np.floor(x * GRID) + 0.5) / GRID)


def settled(
    spec: OpSpec, arguments: dict[str, Any], fixed: Mapping[str, Any], random: np.random.Generator
) -> dict[str, Any]:
    """The arguments with whole numbers that every gather takes."""
    wholes = [
        i.name for i in spec.inputs if isinstance(i, TensorInput) and i.dtype is not Dtype.F32 and i.name not in fixed
    ]
    if not wholes or runs(spec, arguments):
        return arguments
    most = max([0, *(n for a in arguments.values() for n in np.shape(a))])
    tried = range(-AROUND, most + AROUND)
    plain = next((c for c in tried if runs(spec, arguments | filled(arguments, wholes, c))), None)
    if plain is None:
        evaluate(spec, arguments)
        return arguments
    start = arguments | filled(arguments, wholes, plain)
    various = dict(start)
    for name in wholes:
        fitting = [c for c in tried if runs(spec, start | filled(start, [name], c))]
        various[name] = random.choice(fitting, np.shape(start[name]))
    return various if runs(spec, various) else start


def filled(arguments: Mapping[str, Any], names: Sequence[str], value: int) -> dict[str, Any]:
    return {n: np.full(np.shape(arguments[n]), value) for n in names}


def runs(spec: OpSpec, arguments: Mapping[str, Any]) -> bool:
    try:
        evaluate(spec, arguments)
    except LaunchError:
        return False
    return True


def is_finite(spec: OpSpec, arguments: Mapping[str, Any]) -> bool:
    values = evaluate(spec, arguments)
    outputs = [np.asarray(values[o] if o in values else arguments[o]) for o in spec.outputs]
    return all(bool(np.isfinite(a).all()) for a in outputs)


def sound(found: Point) -> bool:
    """Whether the true gradients are finite and rounding does not decide them."""
    for true in found.truths.values():
        scale = float(np.max(np.abs(true.values), initial=0.0))
        if not np.isfinite(true.values).all() or true.tolerance >= LOOSE * scale > 0:
            return False
    return True
