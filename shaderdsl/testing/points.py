"""Points at which a backward is tried: arguments, incoming gradients, and the true gradients by a complex step.

    for point in points(spec, hints, seed=0):
        worst(point, backward)          # error over tolerance: right below 1

A complex step has no difference to cancel, so the true gradients have all of float64's digits; kinks go by the real part. The tolerance
is what rounding may do at that point: 1,000 ulps times the conditioning, which a second look a little further along measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shaderdsl.errors import ShaderError
from shaderdsl.spec.derive import differentiable
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.conventions import Held, held
from shaderdsl.testing.samples import Array, Hints, draw, normal

EXTENTS: tuple[tuple[int, ...], ...] = ((1,), (2, 3, 5, 4), (3, 5, 2), (5, 2, 3), (4, 2, 3, 5))
STEP = 1e-30
WIDE = 2.0**-18
AWAY = 1e-9
TIGHT, LOOSE = 1e-11, 1e-6
"""Relative tolerances: never below the first, and a point where rounding alone exceeds the second is no evidence."""
KINK = 1e-2
"""How far apart the derivatives of both sides are at a kink, of the larger one."""
MOST = 120
"""Entries of one argument of which the true gradient is taken; of more, that many are chosen."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The gradient by one input, at some of its places: their flat numbers, the values there, and what they may be off. kinks: places without one."""

    places: Array
    values: Array
    tolerance: float
    kinks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    arguments: Mapping[str, Any]
    weights: Mapping[str, Array]
    truths: Mapping[str, Truth]


def points(spec: OpSpec, hints: Hints, seed: int, fixed: Mapping[str, Any] | None = None) -> Iterator[Point]:
    """A point for each list of sizes, each from a seed of its own. fixed: arguments that are the same at every point."""
    for number, sizes in enumerate(EXTENTS):
        random = np.random.default_rng((seed, number))
        found = point(spec, draw(spec, hints, random, sizes, fixed), random)
        yield without_kinks(spec, found) if fixed else found
    if hints.tied:
        random = np.random.default_rng((seed, len(EXTENTS)))
        yield tied_point(spec, hints, random)


def tied_point(spec: OpSpec, hints: Hints, random: np.random.Generator) -> Point:
    """Every two neighbours equal: what they share is the mean of both one-sided derivatives, a central difference."""
    arguments = draw(spec, hints, random, (2,))
    for name in hints.tied:
        arguments[name][..., 1::2] = arguments[name][..., ::2]
    found = point(spec, arguments, random)
    truths: dict[str, Truth] = {}
    for name, true in found.truths.items():
        values = differences(held(spec), arguments, found.weights, name)
        truths[name] = Truth(true.places, values, 1e-8 * max(1.0, float(np.max(np.abs(values), initial=0.0))))
    return replace(found, truths=truths)


def without_kinks(spec: OpSpec, found: Point) -> Point:
    """A point at given arguments, without the places where the derivatives of both sides differ: there is a convention there, and no derivative."""
    moving = held(spec)
    truths: dict[str, Truth] = {}
    for name, true in found.truths.items():
        here, *sides = (weighed(moving, found, name, step, true.places) for step in (0.0, WIDE, -WIDE))
        right, left = (sides[0] - here) / WIDE, (here - sides[1]) / WIDE
        size = np.maximum(np.abs(right), np.abs(left))
        smooth = np.abs(right - left) <= KINK * np.maximum(size, 1e-3 * float(np.max(size, initial=0.0)))
        kinks = tuple(int(p) for p in true.places[~smooth])
        truths[name] = Truth(true.places[smooth], true.values[smooth], true.tolerance, kinks)
    return replace(found, truths=truths)


def weighed(moving: Held, found: Point, name: str, step: float, places: Array) -> Array:
    """The weighted sum of the outputs, once for each place of one argument that is moved."""
    x = np.asarray(found.arguments[name], np.float64)
    sums: list[float] = []
    for place in places:
        moved = x.copy()
        moved.reshape(-1)[place] += step
        values = evaluate(moving.spec, {**moving.at(found.arguments), name: moved})
        sums.append(sum(float((values[o] * w).sum()) for o, w in found.weights.items()))
    return np.array(sums)


def differences(moving: Held, arguments: Mapping[str, Any], weights: Mapping[str, Array], name: str) -> Array:
    """Derivatives by entries of one argument as central differences."""
    there, places = Point(arguments, weights, {}), np.arange(np.size(arguments[name]))
    right, left = (weighed(moving, there, name, step, places) for step in (WIDE, -WIDE))
    return (right - left) / (2 * WIDE)


def point(spec: OpSpec, arguments: Mapping[str, Any], random: np.random.Generator) -> Point:
    """A point at these arguments."""
    weights = weighted(spec, arguments, random).weights
    most = max((float(np.max(np.abs(w), initial=0.0)) for w in weights.values()), default=0.0)
    moving, wanted = held(spec), differentiable(spec)
    truths = {name: truth(moving, wanted, arguments, weights, name, random, most) for name in wanted}
    return Point(arguments, weights, truths)


def weighted(spec: OpSpec, arguments: Mapping[str, Any], random: np.random.Generator) -> Point:
    """A point without true gradients."""
    values = evaluate(spec, arguments)
    return Point(arguments, {o: normal(random, np.shape(values[o])) for o in spec.outputs}, {})


def truth(
    moving: Held,
    wanted: Sequence[str],
    arguments: Mapping[str, Any],
    weights: Mapping[str, Array],
    name: str,
    random: np.random.Generator,
    most: float,
) -> Truth:
    size = np.size(arguments[name])
    places = np.arange(size) if size <= MOST else np.sort(random.choice(size, MOST, replace=False))
    found = stepped(moving, arguments, weights, name, places)
    further = {n: a * (1 + AWAY) if n in wanted else a for n, a in arguments.items()}
    # A few places tell the conditioning.
    some = places[:: max(1, len(places) // 8)]
    moved = stepped(moving, further, weights, name, some) - found[:: max(1, len(places) // 8)]
    scale = max(float(np.max(np.abs(found), initial=0.0)), 1e-3 * most, 1e-300)
    conditioning = float(np.max(np.abs(moved), initial=0.0)) / (AWAY * scale)
    relative = min(max(TIGHT, 1e3 * np.finfo(np.float64).eps * conditioning), LOOSE)
    return Truth(places, found, relative * scale)


def stepped(
    moving: Held, arguments: Mapping[str, Any], weights: Mapping[str, Array], name: str, places: Array
) -> Array:
    """Derivatives of the weighted sum of the outputs by entries of one argument."""
    x = np.asarray(arguments[name], np.complex128)
    found = np.zeros(len(places))
    for number, place in enumerate(places):
        moved = x.copy()
        moved.reshape(-1)[place] += 1j * STEP
        values = evaluate(moving.spec, {**moving.at(arguments), name: moved}, np.complex128)
        found[number] = sum(float((np.imag(values[o]) * w).sum()) for o, w in weights.items()) / STEP
    return found


def gradients(point: Point, backward: OpSpec, saved: Mapping[str, Any] | None = None) -> dict[str, Array]:
    """What a backward gives at a point, by the inputs in the order of its outputs. saved: stages that it takes as inputs."""
    incoming = {f"d_{o}": w for o, w in point.weights.items()}
    values = evaluate(backward, {**point.arguments, **incoming, **(saved or {})})
    given = {**values, **incoming}
    return {name: np.asarray(given[output]) for name, output in zip(point.truths, backward.outputs)}


def excess(point: Point, name: str, found: Array) -> float:
    """How many tolerances a gradient is off; infinite where its shape is wrong or it is not finite."""
    true = point.truths[name]
    if np.shape(found) != np.shape(point.arguments[name]):
        return float("inf")
    errors = np.abs(np.asarray(found, np.float64).reshape(-1)[true.places] - true.values)
    worst = float(np.max(errors, initial=0.0)) / true.tolerance
    return worst if worst == worst else float("inf")


def worst(point: Point, backward: OpSpec) -> float:
    """The largest excess of any gradient; a backward that does not run at all is infinitely wrong."""
    try:
        found = gradients(point, backward)
    except ShaderError:
        return float("inf")
    return max((excess(point, name, array) for name, array in found.items()), default=0.0)
